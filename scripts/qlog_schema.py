#!/usr/bin/env python3
"""Checks a qlog file against the schema of the QUIC working group's drafts.

    scripts/qlog_schema.py DRAFTS run.sqlog

DRAFTS is a folder with draft-ietf-quic-qlog-main-schema.md and draft-ietf-quic-qlog-quic-events.md,
as in a clone of github.com/quicwg/qlog. Their definitions in CDDL (RFC 8610) are read from the
texts; none of them is repeated here. Fields beyond a definition's are an error unless it has
`* text => any`.
"""
import json
import re
import sys

TOKEN = re.compile(r'\s+|;[^\n]*|(?P<token>"[^"]*"|=>|/=|//=|\.{2,3}|\.[a-z]+|\$\$?[\w-]+|[\w-]+(?:\.[\w]+)*|[{}\[\]()=/?*+,:~])')


def tokens(text):
    found, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            sys.exit(f"CDDL that is not understood: {text[at:at + 40]!r}")
        if match.group("token"):
            found.append(match.group("token"))
        at = match.end()
    return found


class Schema:
    """Rules by name: a list of alternatives for each."""

    def __init__(self, text):
        self.tokens, self.at, self.rules = tokens(text), 0, {}
        while self.at < len(self.tokens):
            name = self.take()
            operator = self.take()
            if operator not in ("=", "/=", "//="):
                sys.exit(f"a rule of {name} begins with {operator}")
            self.rules.setdefault(name, []).extend(self.choice())

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def choice(self):
        found = [self.type()]
        while self.peek() == "/":
            self.take()
            found.append(self.type())
        return found

    def type(self):
        token = self.take()
        if token == "{":
            kind = ("map", self.members("}"))
        elif token == "[":
            kind = ("array", self.members("]"))
        elif token == "(":
            kind = ("choice", self.choice())
            self.take()
        elif token == "~":
            kind = ("unwrap", self.take())
        elif token.startswith('"'):
            kind = ("literal", token[1:-1])
        elif re.fullmatch(r"\d+", token):
            kind = ("literal", int(token))
        else:
            kind = ("name", token)
        while self.peek().startswith(".") and self.peek() != "..":
            kind = ("control", kind, self.take(), self.type())
        return kind

    def members(self, end):
        found = []
        while self.peek() != end:
            often = self.take() if self.peek() in "?*+" and self.peek() else ""
            key = None
            if self.peek(1) in (":", "=>"):
                key = ("any",) if self.peek(1) == "=>" else self.peek().strip('"')
                self.at += 2
                found.append((often, key, self.choice()))
            else:
                found.append((often, None, self.choice()))
            if self.peek() == ",":
                self.take()
        self.take()
        return found

    def fits(self, value, kind):
        """None, or the reason why a value is not of this type."""
        word = kind[0]
        if word == "choice":
            return self.any_of(value, kind[1])
        if word == "literal":
            return None if value == kind[1] else f"{value!r} is not {kind[1]!r}"
        if word == "control":
            return self.controlled(value, kind)
        if word == "array":
            return self.array(value, kind[1])
        if word == "map":
            return self.map(value, kind[1])
        return self.named(value, kind[1])

    def any_of(self, value, kinds):
        reasons = [self.fits(value, kind) for kind in kinds]
        return None if None in reasons else "; ".join(reasons[:3])

    def named(self, value, name):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        known = {
            "text": isinstance(value, str), "tstr": isinstance(value, str), "any": True,
            "bool": isinstance(value, bool), "true": value is True, "false": value is False,
            "uint": number and isinstance(value, int) and value >= 0,
            "int": number and isinstance(value, int), "float": number,
            "float32": number, "float64": number, "null": value is None,
        }
        if name in known and name not in self.rules:
            return None if known[name] else f"{value!r} is no {name}"
        if name not in self.rules:
            return f"{name} is defined nowhere"
        return self.any_of(value, self.rules[name])

    def controlled(self, value, kind):
        reason = self.fits(value, kind[1])
        if reason or kind[2] == ".default":
            return reason
        if kind[2] == ".size":
            return None if value < 256 ** kind[3][1] else f"{value} has more than {kind[3][1]} bytes"
        if kind[2] == ".regexp":
            return None if re.fullmatch(kind[3][1], value) else f"{value!r} is not {kind[3][1]}"
        return f"{kind[2]} is not understood"

    def array(self, value, members):
        if not isinstance(value, list):
            return f"{value!r} is no array"
        often, _, kinds = members[0]
        if often == "+" and not value:
            return "an empty array"
        reasons = [reason for one in value if (reason := self.any_of(one, kinds))]
        return reasons[0] if reasons else None

    def map(self, value, members):
        if not isinstance(value, dict):
            return f"{value!r} is no object"
        known, is_open = {}, False
        for often, key, kinds in self.flat(members):
            is_open |= key == ("any",)
            if isinstance(key, str):
                known[key] = (often, kinds)
        for key, (often, kinds) in known.items():
            if key not in value:
                if often != "?":
                    return f"{key} is missing"
            elif reason := self.any_of(value[key], kinds):
                return f"{key}: {reason}"
        more = [key for key in value if key not in known]
        return f"{more[0]} is not in the definition" if more and not is_open else None

    def flat(self, members):
        for often, key, kinds in members:
            if key is None and kinds[0][0] == "unwrap":
                yield from self.flat(self.rules[kinds[0][1]][0][1])
            elif key is not None:
                yield often, key, kinds


def definition(name):
    """The definition of an event's data: quic:packet_sent is QUICPacketSent."""
    namespace, event = name.split(":")
    return namespace.upper() + "".join(word.capitalize() for word in event.split("_"))


def main():
    drafts, file = sys.argv[1:3]
    text = ""
    for draft in ["main-schema", "quic-events"]:
        with open(f"{drafts}/draft-ietf-quic-qlog-{draft}.md", encoding="utf-8") as opened:
            text += "\n".join(re.findall(r"^~~~ *cddl\n(.*?)^~~~", opened.read(), re.S | re.M))
    schema = Schema(text)
    with open(file, encoding="utf-8") as opened:
        records = opened.read().split("\x1e")
    if records[0]:
        sys.exit("it does not begin with a record separator (RFC 7464)")
    counts = {}
    for place, record in enumerate(records[1:]):
        value = json.loads(record)
        reason = schema.named(value, "QlogFileSeq") if place == 0 else schema.named(value, "Event")
        if not reason and place > 0:
            counts[value["name"]] = counts.get(value["name"], 0) + 1
            reason = schema.named(value["data"], definition(value["name"]))
        if reason:
            sys.exit(f"record {place}: {reason}\n{record[:300]}")
    print(f"{len(records) - 1} records are of the schema:", counts)


main()
