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
from harness import C_LOCALE, SKIPPED, Test, has_terminals, unavailable

ALGORITHMS = ["sha1", "sha256", "sha1,sha256"]

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


class Command:
    """What --help tells of a command, the words of which are given."""

    def __init__(self, test, *words):
        text = test.run(*words, "--help").out.decode()
        # (letter or "", name, argument or "") of each
        self.options = re.findall(r"^ +(?:-(\w), )?--([\w-]+)=?(\S*)", text, re.MULTILINE)
        names = re.findall(r"^  ([a-z][\w-]*) ", text, re.MULTILINE)
        self.line = " ".join(("blocksha",) + words)
        self.group = {name: Command(test, *words, name) for name in names}
        if self.group:
            # the text of a group names no options
            self.options = [("", "help", "")] + ([("", "version", "")] if not words else [])
        operand = re.search(r"^Usage: .* \[?([A-Z]+)\]?\.\.\.$", text, re.MULTILINE)
        self.operands = {"FILE": "FILE", "PATH": "FILE", "FOLDER": "DIR"}.get(
            operand[1] if operand else None, [])

    def all(self):
        """It and those of its group, and theirs."""
        yield self
        for command in self.group.values():
            yield from command.all()

    def option_names(self, argument_end=""):
        return [f"--{name}{argument_end if argument else ''}"
                for _, name, argument in self.options]


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


def check_bash(test, path, root):
    bash = Bash(test, path)
    bash.expect("blocksha s", ["sum"])
    bash.expect("blocksha --v", ["--version"])
    bash.expect("blocksha x", [])
    bash.expect("blocksha bogus ", [])
    bash.expect("blocksha git bogus ", [])
    bash.expect("blocksha bogus verify -", [])
    bash.expect("blocksha sum --tag fi", "FILE")
    bash.expect("blocksha sum git ", "FILE")
    bash.expect("blocksha kernels fi", [])
    bash.expect("blocksha sum --st", ["--status", "--strict", "--strict-all"])
    bash.expect("blocksha sum --algo", ["--algorithm="])
    bash.expect("blocksha sum file --ta", ["--tag"])
    bash.expect("blocksha sum -a sha2", ["sha256"])
    bash.expect("blocksha sum --algorithm = sha1", ["sha1", "sha1,sha256"])
    if "git" in root.group:
        bash.expect("blocksha git v", ["verify"])
        bash.expect("blocksha git hash-object f -t t", ["tree", "tag"])
        bash.expect("blocksha git tree --object-format = sha2", ["sha256"])
        bash.expect("blocksha git verify tree --s", ["--syntax"])
        bash.expect("blocksha git verify git ", "FILE")
    for command in root.all():
        test.check(command.group or len(command.options) >= 2, f"options of {command.line}")
        if command.group:
            words = list(command.group) + command.option_names()
            bash.expect(f"{command.line} ", words)
            bash.expect(f"{command.line} --", command.option_names())
            continue
        names = command.option_names("=")
        bash.expect(f"{command.line} ", command.operands)
        bash.expect(f"{command.line} --", names)
        bash.expect(f"{command.line} -", names)
        for letter, name, argument in command.options:
            if not argument:
                bash.expect(f"{command.line} --{name} --he", ["--help"])
                continue
            words = expected_words(argument)
            bash.expect(f"{command.line} --{name} ", words)
            bash.expect(f"{command.line} --{name} =", words)
            bash.expect(f"{command.line} --{name} = ", words)
            if letter:
                bash.expect(f"{command.line} -{letter} ", words)
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


def check_terminal(test, root, name, command, setup):
    """A real completion: the choice is listed, one word is completed."""
    if not has_terminals():
        return
    terminal = Terminal(command, clean_environment(test, PS1="ready> "))
    # the prompt, not its echo
    terminal.type(setup + "; echo set''up\n")
    if not test.check(terminal.wait_for("setup"), f"{name} starts", terminal.seen):
        terminal.close()
        return
    rows = [("blocksha sum --st\t\t", ["--status", "--strict", "--strict-all"]),
            ("blocksha sum --sta\t", ["--status "]),
            ("blocksha ker\t", ["kernels "]),
            ("blocksha sum only-fi\t", ["only-file "]),
            ("blocksha sum --alg\tsha2\t", ["--algorithm=", "sha256"])]
    if "git" in root.group:
        rows += [("blocksha gi\tver\t", ["git ", "verify "]),
                 ("blocksha git \t\t", list(root.group["git"].group)),
                 ("blocksha git verify --re\t", ["--require-checksum "]),
                 ("blocksha git hash-object --ty\tbl\t", ["--type=", "blob"]),
                 ("blocksha git hash-object only-fi\t", ["only-file "]),
                 ("blocksha git tree only-\t", ["only-folder/"])]
        rows += [(f"{git.line} --\t\t", git.option_names())
                 for git in root.group["git"].group.values()]
    for typed, shown in rows:
        terminal.type(typed)
        test.check(terminal.wait_for(*map(re.escape, shown)), f"{name}: {typed!r}", terminal.seen)
        terminal.type("\x15\x0c")  # an empty line, at the top of the screen
        terminal.wait_for("ready> ", seconds=2)
    terminal.close()


def check_fish(test, path, root):
    def complete(line):
        result = subprocess.run(["fish", "--no-config", "-c",
                                 "source $argv[1]; complete -C $argv[2]", path, line],
                                env=clean_environment(test), stdout=subprocess.PIPE)
        return [row.split("\t")[0] for row in result.stdout.decode().splitlines()]

    operands = {"FILE": ["only-file", "only-folder/"], "DIR": ["only-folder/"]}
    test.equal(sorted(complete("blocksha sum --st")), ["--status", "--strict", "--strict-all"],
               "fish: --st")
    test.equal(sorted(complete("blocksha sum -a ")), sorted(ALGORITHMS), "fish: -a")
    for command in root.all():
        found = {word.rstrip("=") for word in complete(f"{command.line} --")}
        test.equal(found, set(command.option_names()), f"fish: options of {command.line}")
        if command.group:
            test.equal(sorted(complete(f"{command.line} ")), sorted(command.group),
                       f"fish: {command.line}")
            continue
        expected = operands[command.operands] if command.operands else []
        test.equal(sorted(complete(f"{command.line} only-")), expected, f"fish: {command.line}")
        for _, name, argument in command.options:
            words = expected_words(argument)
            if words and isinstance(words, list):
                test.equal(sorted(complete(f"{command.line} --{name} ")), sorted(words),
                           f"fish: {command.line} --{name}")


def main():
    test = Test()
    folder = os.path.join(os.environ.get("BLOCKSHA_BUILD", "."), "completion")
    paths = {shell: os.path.join(folder, f"blocksha.{shell}") for shell in ("bash", "zsh", "fish")}
    if not all(map(os.path.exists, paths.values())):
        unavailable("this build has no completion")
        sys.exit(SKIPPED)
    root = Command(test)
    test.check({"sum", "kernels"} <= set(root.group), "there are subcommands")
    with open("only-file", "w"):
        pass
    os.mkdir("only-folder")
    os.mkdir("functions")
    shutil.copy(paths["zsh"], "functions/_blocksha")

    for shell, path in paths.items():
        if shutil.which(shell) is None:
            unavailable(f"{shell} is not installed")
            continue
        result = subprocess.run([shell, "-n", path], capture_output=True)
        test.equal((result.returncode, result.stdout, result.stderr), (0, b"", b""), f"{shell} -n")
        if shell == "bash":
            check_bash(test, path, root)
            check_terminal(test, root, "bash", ["bash", "--norc", "--noprofile"],
                           f"source '{path}'")
        elif shell == "zsh":
            check_terminal(test, root, "zsh", ["zsh", "-f"], "unsetopt zle_bracketed_paste; "
                           "fpath=($PWD/functions $fpath); autoload -U compinit; "
                           "compinit -u -D; PS1='ready> '")
        else:
            check_fish(test, path, root)
    test.finish()


main()
