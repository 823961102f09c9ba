#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The completion of shells offers what --help tells."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, SKIPPED, Test, unavailable

ALGORITHMS = ["sha1", "sha256", "sha1,sha256"]
LEVEL0 = ["sum", "git", "kernels", "--help", "--version"]

# Calls the function as bash does for words "$@", the last of which is to be completed. compopt
# works only in a real completion: here it tells its options.
BASH = """
source "$COMPLETION" || exit 1
compopt() { printf '%s ' "$@"; }
while IFS= read -r line; do
    IFS=' ' read -ra COMP_WORDS <<<"$line."
    COMP_WORDS[-1]=${COMP_WORDS[-1]%.}
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _blocksha
    printf '| %s\\n' "${COMPREPLY[*]}"
done
"""


def clean_environment(test, **more):
    return {**C_LOCALE, "HOME": test.folder, "XDG_CONFIG_HOME": test.folder,
            "XDG_DATA_HOME": test.folder, "TERM": "xterm", **more}


def options_of(test, subcommand):
    """(letter or "", name, argument or "") of each option in --help."""
    text = test.run(subcommand, "--help").out.decode()
    return re.findall(r"^ +(?:-(\w), )?--([\w-]+)=?(\S*)", text, re.MULTILINE)


def expected_words(argument):
    """What completes an argument of this name, beginning with nothing: words, or FILE, DIR."""
    if argument in ("FILE", "DIR"):
        return argument
    if argument == "LIST":
        return ALGORITHMS
    return argument.split("|") if "|" in argument else []


class Bash:
    def __init__(self, test, path):
        self.test, self.cases = test, []
        self.environment = clean_environment(test, COMPLETION=path)

    def expect(self, line, words):
        """line with its words, those of --option=argument apart, as bash gives them."""
        self.cases.append((line, words))

    def run(self):
        lines = "".join(line + "\n" for line, _ in self.cases)
        result = subprocess.run(["bash", "--norc", "-c", BASH], input=lines, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment)
        self.test.equal(result.stderr, "", "bash has nothing to complain about")
        answers = result.stdout.splitlines()
        self.test.equal(len(answers), len(self.cases), "an answer for each line")
        for (line, words), answer in zip(self.cases, answers):
            calls, found = answer.split("| ")
            kind = ("FILE" if calls == "" and found == "" else
                    "DIR" if "-o dirnames" in calls else found.split())
            self.test.equal(kind, words, f"bash: {line!r}")


def check_bash(test, path):
    bash = Bash(test, path)
    bash.expect("blocksha ", LEVEL0)
    bash.expect("blocksha s", ["sum"])
    bash.expect("blocksha --v", ["--version"])
    bash.expect("blocksha x", [])
    bash.expect("blocksha bogus ", [])
    bash.expect("blocksha sum ", "FILE")
    bash.expect("blocksha sum --tag fi", "FILE")
    bash.expect("blocksha kernels ", [])
    bash.expect("blocksha kernels fi", [])
    bash.expect("blocksha sum --st", ["--status", "--strict", "--strict-all"])
    bash.expect("blocksha sum --algo", ["--algorithm="])
    bash.expect("blocksha sum file --ta", ["--tag"])
    bash.expect("blocksha sum -a sha2", ["sha256"])
    bash.expect("blocksha sum --algorithm = sha1", ["sha1", "sha1,sha256"])
    for subcommand in ("sum", "kernels"):
        options = options_of(test, subcommand)
        test.check(len(options) >= 4, f"options of {subcommand}")
        names = [f"--{name}{'=' if argument else ''}" for _, name, argument in options]
        bash.expect(f"blocksha {subcommand} --", names)
        bash.expect(f"blocksha {subcommand} -", names)
        for letter, name, argument in options:
            if not argument:
                bash.expect(f"blocksha {subcommand} --{name} --h", ["--help"])
                continue
            words = expected_words(argument)
            bash.expect(f"blocksha {subcommand} --{name} ", words)
            bash.expect(f"blocksha {subcommand} --{name} =", words)
            bash.expect(f"blocksha {subcommand} --{name} = ", words)
            if letter:
                bash.expect(f"blocksha {subcommand} -{letter} ", words)
    bash.run()


class Terminal:
    """A shell on a pseudo-terminal."""

    def __init__(self, command, environment):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        self.seen = b""

    def type(self, text):
        self.seen = b""
        os.write(self.master, text.encode())

    def wait_for(self, *patterns, seconds=20):
        """Whether all of them are seen in time, bold or not."""
        end = time.monotonic() + seconds
        while not all(re.search(pattern.encode(), re.sub(rb"\x1b\[[0-9;]*m", b"", self.seen))
                      for pattern in patterns):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                return False
            try:
                self.seen += os.read(self.master, 4096)
            except OSError:
                return False
        return True

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def check_terminal(test, name, command, setup):
    """A real completion: the choice is listed, one word is completed."""
    terminal = Terminal(command, clean_environment(test, PS1="ready> "))
    # the prompt, not its echo
    terminal.type(setup + "; echo set''up\n")
    if not test.check(terminal.wait_for("setup"), f"{name} starts", terminal.seen):
        terminal.close()
        return
    rows = [("blocksha sum --st\t\t", ["--status", "--strict", "--strict-all"]),
            ("blocksha sum --sta\t", ["--status "]),
            ("blocksha ker\t", ["kernels "]),
            ("blocksha sum only-\t", ["only-file "]),
            ("blocksha sum --alg\tsha2\t", ["--algorithm=", "sha256"])]
    for typed, shown in rows:
        terminal.type(typed)
        test.check(terminal.wait_for(*map(re.escape, shown)), f"{name}: {typed!r}", terminal.seen)
        terminal.type("\x15\x0c")  # an empty line, at the top of the screen
        terminal.wait_for("ready> ", seconds=2)
    terminal.close()


def check_fish(test, path):
    def complete(line):
        result = subprocess.run(["fish", "--no-config", "-c",
                                 "source $argv[1]; complete -C $argv[2]", path, line],
                                env=clean_environment(test), stdout=subprocess.PIPE)
        return [row.split("\t")[0] for row in result.stdout.decode().splitlines()]

    test.equal(sorted(complete("blocksha ")), sorted(LEVEL0[:3]), "fish: subcommands")
    test.equal(sorted(complete("blocksha sum --st")), ["--status", "--strict", "--strict-all"], "fish: --st")
    test.equal(complete("blocksha sum only-"), ["only-file"], "fish: a file")
    test.equal(complete("blocksha kernels only-"), [], "fish: no file")
    test.equal(sorted(complete("blocksha sum -a ")), sorted(ALGORITHMS), "fish: -a")
    for subcommand in ("sum", "kernels"):
        names = {f"--{name}" for _, name, _ in options_of(test, subcommand)}
        found = {word.rstrip("=") for word in complete(f"blocksha {subcommand} --")}
        test.equal(found, names, f"fish: options of {subcommand}")


def main():
    test = Test()
    folder = os.path.join(os.environ.get("BLOCKSHA_BUILD", "."), "completion")
    paths = {shell: os.path.join(folder, f"blocksha.{shell}") for shell in ("bash", "zsh", "fish")}
    if not all(map(os.path.exists, paths.values())):
        unavailable("this build has no completion")
        sys.exit(SKIPPED)
    with open("only-file", "w"):
        pass
    os.mkdir("functions")
    shutil.copy(paths["zsh"], "functions/_blocksha")

    for shell, path in paths.items():
        if shutil.which(shell) is None:
            unavailable(f"{shell} is not installed")
            continue
        result = subprocess.run([shell, "-n", path], capture_output=True)
        test.equal((result.returncode, result.stdout, result.stderr), (0, b"", b""), f"{shell} -n")
        if shell == "bash":
            check_bash(test, path)
            check_terminal(test, "bash", ["bash", "--norc", "--noprofile"], f"source '{path}'")
        elif shell == "zsh":
            check_terminal(test, "zsh", ["zsh", "-f"], "unsetopt zle_bracketed_paste; "
                           "fpath=($PWD/functions $fpath); autoload -U compinit; "
                           "compinit -u -D; PS1='ready> '")
        else:
            check_fish(test, path)
    test.finish()


main()
