"""The commands, options, keys and members that the built programs have, and the generated pages of the reference."""
import functools
import json
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = {"beaconmond": None, "beaconmon-notifier": None, "beaconmon-web": None,
            "beaconmon-testbed": ROOT / "Sources/Apps/beaconmon-testbed/beaconmon-testbed"}
# A key that no program knows, and that resembles none.
UNKNOWN = "zzzzqqqq"


class Failure(Exception):
    """The programs cannot be asked."""


def output(command, check=True):
    result = subprocess.run(command, capture_output=True, text=True)
    if check and result.returncode:
        raise Failure(f"{command[0]}: {result.stderr.strip() or result.returncode}")
    return result.stdout + result.stderr


# MARK: Commands

class Command:
    """A command of a program with its options, from its description of itself."""

    def __init__(self, names, description):
        self.names, self.abstract = names, description.get("abstract", "")
        self.discussion = description.get("discussion", "")
        self.hasSubcommands = bool(description.get("subcommands"))
        self.arguments = [argument for argument in description.get("arguments", [])
                          if argument["shouldDisplay"] and argument["valueName"] not in ("help", "version")]

    @property
    def title(self):
        return " ".join(self.names)

    def options(self):
        """Returns the names of the options, such as --json."""
        return [spelling(name) for argument in self.arguments for name in argument.get("names", [])]


def spelling(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def commands(programs):
    """Returns the commands of `beaconmon` in the order of its help."""
    return described(programs / "beaconmon")


@functools.cache
def described(program):
    """Returns the commands of a program in the order of its help, by its description of itself."""
    found = []

    def walk(description, names):
        names = names + [description["commandName"]]
        if description["commandName"] == "help":
            return
        found.append(Command(names, description))
        for subcommand in description.get("subcommands", []):
            walk(subcommand, names)
    walk(json.loads(output([program, "--experimental-dump-help"]))["command"], [])
    return found


@functools.cache
def help(programs):
    """Returns the help of the other programs by their names."""
    return {name: output([path or programs / name, "--help"]) for name, path in PROGRAMS.items()}


# MARK: Keys

def named(text):
    """Returns the keys of each table that a message about the unknown key lists."""
    tables = {}
    text = re.sub(r' "[^"]*"(?=: )', "", text)
    for place, keys in re.findall(rf'(?m):\d+: (?:warning: )?(.*?)\bunknown key "{UNKNOWN}"; (?:the keys here are (.*)|no keys are allowed here)$', text):
        table = ".".join(part for part in (re.sub(r" \d+$", "", part.strip()) for part in re.split(r"[:.]", place)) for part in part.split()
                         if not part.isdigit())
        tables.setdefault(table, [])
        tables[table] += [key for key in (keys.split(", ") if keys else []) if key not in tables[table]]
    return tables


def probe(programs, verb, text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "probe.toml"
        file.write_text(text)
        for name in ("three-floors.venue.toml",):
            (file.parent / name).write_text((ROOT / "Docs/examples/scenarios" / name).read_text())
        return named(output([programs / "beaconmon", *verb, file], check=False))


@functools.cache
def keys(programs, verb=("config", "check"), variants=(("region", 'place = "x"'), ("region", "latitude = 1.0"))):
    """Returns the keys of each table of a file.

    The program that reads the file names them in its message about an unknown key.
    """
    tables = probe(programs, verb, f"{UNKNOWN} = 1\n")
    if "" not in tables:
        raise Failure(f"beaconmon {' '.join(verb)} names no keys for an unknown one")
    level = list(tables[""])
    while level:
        # A key is a table, an array of tables, or, in an array of tables, a table in the form of a value. The messages about the wrong forms do not matter.
        forms = [f"[{path}]\n{UNKNOWN} = 1\n" for path in level], [f"[[{path}]]\n{UNKNOWN} = 1\n" for path in level]
        texts = ["".join(form) for form in forms]
        nested = [path.rsplit(".", 1) for path in level if "." in path]
        texts.append("".join(f"[[{above}]]\n{last} = {{ {UNKNOWN} = 1 }}\n" for above, last in nested))
        found = {}
        for text in filter(None, texts):
            found |= {path: names for path, names in probe(programs, verb, text).items() if path in level and names is not None}
        tables |= found
        level = [f"{path}.{name}" for path, names in found.items() for name in names if path.count(".") < 2]
    for table, line in variants:
        for key in probe(programs, verb, f"[[{table}]]\n{line}\n{UNKNOWN} = 1\n").get(table, []):
            if key not in tables.setdefault(table, []):
                tables[table].append(key)
    return tables


def scenario_keys(programs):
    variants = (("region", 'place = "x"'), ("region", "latitude = 1.0"), ("visitor", "speed = 1.0"), ("visitor", "speed = 1.0\nwander = {}"))
    return keys(programs, ("simulate", "--score"), variants)


@functools.cache
def venue_keys(programs):
    """Returns the keys of the tables in the venue files of the examples.

    An unknown key in a venue file is a warning, and only a valid file has warnings.
    """
    tables = {}
    for file in sorted(ROOT.glob("Docs/examples/*/*.toml")):
        text = file.read_text()
        if not re.search(r"(?m)^format = ", text):
            continue
        seen = set()

        def insert(match):
            return match.group(0) if match.group(0) in seen or seen.add(match.group(0)) else f"{match.group(0)}\n{UNKNOWN} = 1"
        text = re.sub(r"(?m)^\[\[?[\w.-]+\]\]?$", insert, text)
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / file.name
            # The examples have neither.
            place = re.search(r"(?ms)^\[\[place\]\]\n.*?^id = (\"\S+\")", text).group(1)
            more = f'[nearby]\nurl = "https://example.org"\n{UNKNOWN} = 1\n' \
                f'[[appointment]]\ntitle = "x"\nat = 2026-12-01T15:00:00+01:00\nplace = {place}\n{UNKNOWN} = 1\n'
            changed.write_text(f"{UNKNOWN} = 1\n{text}\n{more}")
            for table, names in named(output([programs / "beaconmon", "venue", "check", changed], check=False)).items():
                tables.setdefault(table, []).extend(name for name in names if name not in tables[table])
    return tables


# MARK: Interfaces

class Member:
    def __init__(self, kind, element, text):
        self.kind, self.name, self.text = kind, element.get("name"), text
        self.type = element.get("type")
        arguments = [(argument.get("direction", "out"), argument.get("type"), argument.get("name")) for argument in element.findall("arg")]
        self.inputs = [(type, name) for direction, type, name in arguments if direction == "in"]
        self.outputs = [(type, name) for direction, type, name in arguments if direction == "out"]

    def signature(self):
        def joined(pairs):
            return "(" + ", ".join(f"{type} {name}" for type, name in pairs) + ")"
        if self.kind == "property":
            return f"{self.name}: {self.type}"
        if self.kind == "signal":
            return self.name + joined(self.outputs)
        return self.name + joined(self.inputs) + (" → " + joined(self.outputs) if self.outputs else "")


@functools.cache
def interfaces():
    """Returns the text and the members of each interface, from the XML that the tests compare with the daemon."""
    found = {}
    for path in sorted((ROOT / "config/dbus").glob("*.xml")):
        parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
        node = ElementTree.parse(path, parser=parser).getroot()
        head = re.search(r"<!--(.*?)-->\s*<node>", path.read_text(), re.DOTALL)
        members, comment = [], ""
        for element in node.find("interface"):
            if element.tag is ElementTree.Comment:
                comment = element.text
            elif element.tag in ("method", "signal", "property"):
                members.append(Member(element.tag, element, plain(comment)))
                comment = ""
        found[node.find("interface").get("name")] = (plain(head.group(1) if head else ""), members)
    return found


def plain(comment):
    """Returns the paragraphs of a comment without its indentation."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", comment))


# MARK: Pages

def escaped(text):
    return re.sub(r"([*_<>|\[\]`\\])", r"\\\1", text)


def commands_page(programs):
    lines = ["# Commands and options", "",
             "This page lists every command with its options, as the programs describe themselves. The man pages explain them: "
             "[beaconmon(1)](../man/beaconmon.1), [beaconmond(8)](../man/beaconmond.8), [beaconmon-notifier(8)](../man/beaconmon-notifier.8), "
             "[beaconmon-web(8)](../man/beaconmon-web.8), [beaconmon-testbed(1)](../man/beaconmon-testbed.1).", ""]
    for command in commands(programs):
        lines += [f"## {command.title}", "", escaped(command.abstract), ""]
        for part in re.split(r"\n\n+", command.discussion.strip()) if command.discussion else []:
            # Examples and tables keep their lines.
            lines += ["```text", part, "```", ""] if "\n " in part else [escaped(part), ""]
        if command.arguments:
            lines += ["| argument or option | effect |", "|---|---|"]
            for argument in command.arguments:
                names = ", ".join(spelling(name) for name in argument.get("names", []))
                value = "" if argument["kind"] == "flag" else f"{argument['valueName']}".upper()
                default = f" Defaults to `{argument['defaultValue']}`." if argument.get("defaultValue") and argument["kind"] != "flag" else ""
                lines.append(f"| `{(names + ' ' + value).strip()}` | {escaped(argument.get('abstract', ''))}{default} |")
            lines.append("")
    for name, text in help(programs).items():
        lines += [f"## {name}", "", "```text", text.strip(), "```", ""]
    return "\n".join(lines)


def keys_page(programs):
    lines = ["# Configuration keys", ""]
    for title, manual, tables in (
        ("beaconmon.toml", "[beaconmon.toml(5)](../man/beaconmon.toml.5) and the comments of the [shipped config](../../config/beaconmon.toml) explain them",
         keys(programs)),
        ("Scenarios", "[the guide to simulation](../guides/simulate.md#the-file) explains them", scenario_keys(programs)),
        ("Venue files", "[beaconmon-venue(5)](../man/beaconmon-venue.5) explains them", venue_keys(programs)),
    ):
        lines += [f"## {title}", "", f"These are the keys of each table; {manual}.", "", "| table | keys |", "|---|---|"]
        for table, names in tables.items():
            inner = [name for name in names if f"{table}.{name}".lstrip(".") not in tables]
            if names and not inner:
                continue  # it has only the tables below
            lines.append(f"| {'`' + table + '`' if table else 'top of the file'} | {', '.join(f'`{name}`' for name in inner) or 'no keys'} |")
        lines.append("")
    return "\n".join(lines)


def page_name(interface):
    """Returns the name of the document of an interface: Session.md for org.beaconmon.Monitor1.Session."""
    return interface.rsplit(".", 1)[1].rstrip("0123456789") + ".md"


def interfaces_page():
    lines = ["# D-Bus interfaces", "",
             "This page lists every member of every interface, from the introspection data. [The D-Bus pages](../dbus/README.md) explain paths, records, "
             "errors and restarts.", ""]
    for name, (text, members) in interfaces().items():
        page = f"../dbus/{page_name(name)}"
        lines += [f"## {name}", "", escaped(text), "", f"[Explanation with tables]({page})", ""]
        for kind, heading in (("method", "Methods"), ("property", "Properties"), ("signal", "Signals")):
            chosen = [member for member in members if member.kind == kind]
            if chosen:
                lines += [f"### {heading} of {name.rsplit('.', 1)[1]}", ""]
            for member in chosen:
                lines += [f"**{escaped(member.signature())}**  ", escaped(member.text), ""]
    return "\n".join(lines)


def pages(programs):
    """Returns the generated Markdown by its place beside the documents."""
    return {
        "Docs/reference/commands.md": commands_page(programs),
        "Docs/reference/keys.md": keys_page(programs),
        "Docs/reference/interfaces.md": interfaces_page(),
    }
