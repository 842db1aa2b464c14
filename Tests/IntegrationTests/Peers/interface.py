"""Prints one interface of an introspection document in canonical form, without comments. usage: interface.py NAME FILE, "-" for standard input"""

import sys
from xml.etree import ElementTree

name, file = sys.argv[1:]
root = ElementTree.parse(sys.stdin if file == "-" else file).getroot()
element = root.find(f"interface[@name='{name}']")
assert element is not None, f"{file} has no interface {name}"
print(ElementTree.canonicalize(ElementTree.tostring(element, "unicode"), strip_text=True))
