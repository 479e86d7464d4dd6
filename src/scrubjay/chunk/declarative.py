"""Tables of scripting, functional, build and data languages: Lua, Haskell, SQL, JSON and kin.

Data only: node types as the grammars spell them, in the notation of `make_grammar`.
"""

from __future__ import annotations

from typing import Any

from scrubjay.chunk.grammar import make_grammar as _make

_STYLES: dict[str, Any] = {
    "imports": "import_statement use_statement forward_statement charset_statement",
    "heads": {"rule_set": r"(?P<name>[^{}]{1,200}?)\s*\{"},
    "words": "rule_set=rule",
    "name_types": "name",
    "free_names": True,
}

DECLARATIVE = (
    _make(
        "lua",
        "function_declaration=function",
        import_heads={
            "variable_declaration assignment_statement function_call": (
                r"(?:local\s+)?(?:[\w.]+\s*=\s*)?require\b"
            )
        },
        opens="do_statement",
        heads={
            "variable_declaration assignment_statement": (
                r"(?:local\s+)?(?P<name>[\w.]+)\s*=\s*function\b"
            )
        },
        separator=r"[.:]",
    ),
    _make(
        "bash",
        "function_definition=function",
        import_heads={"command": r"(?:source|\.)\s"},
        opens="if_statement elif_clause else_clause",
    ),
    _make(
        "elixir",
        import_heads={"call": r"(?:alias|import|require|use)\s"},
        opens="do_block",
        lead_heads={
            "unary_operator": r"@(?:doc|spec|impl|typedoc|deprecated|since|dialyzer|tag)\b"
        },
        heads={
            "call": (
                r"(?P<word>defmodule|defprotocol|defimpl|defmacrop?|defguardp?|defdelegate|"
                r"defexception|defp?)[\s(]+(?P<name>[A-Za-z_][\w.]*[?!]?)"
            )
        },
        words="defmodule=module defprotocol=protocol defimpl=impl defmacro=macro defmacrop=macro",
        joins_clauses=True,
    ),
    _make(
        "haskell",
        "function=function bind=function data_type=type newtype=type type_synomym=type "
        "class=class instance=impl type_family=type",
        imports="import",
        opens="imports declarations class_declarations instance_declarations",
        leads="signature",
        joins_clauses=True,
    ),
    _make(
        "dart",
        "class_definition=class class_declaration=class mixin_declaration=mixin "
        "extension_declaration=extension extension_type_declaration=extension "
        "enum_declaration=enum type_alias=type function_signature=function "
        "getter_signature=function setter_signature=function constructor_signature=method "
        "factory_constructor_signature=method constant_constructor_signature=method",
        imports="import_or_export library_import part_directive part_of_directive",
        wrappers="method_signature declaration",
        opens="class_body extension_body enum_body",
        trails="function_body",
        leads="annotation",
        name_types="identifier type_identifier",
    ),
    _make(
        "zig",
        "function_declaration=function",
        import_heads={"variable_declaration": r"(?:pub\s+)?const\s+\w+\s*=\s*@import\("},
        opens="struct_declaration enum_declaration union_declaration opaque_declaration",
        heads={
            "variable_declaration": (
                r"(?:pub\s+)?const\s+(?P<name>\w+)\s*=\s*(?:packed\s+|extern\s+)?"
                r"(?P<word>struct|enum|union|opaque|error)\b"
            ),
            "test_declaration": r'test\s+"?(?P<name>[^"\n{]+)',
        },
        words="struct=struct enum=enum union=union opaque=struct error=enum test_declaration=test",
    ),
    _make(
        "r",
        import_heads={"call": r"(?:library|require|source|requireNamespace)\("},
        heads={
            "binary_operator": (
                r"(?P<name>[\w.]+|`[^`\n]+`)\s*(?:<<?-|=)\s*"
                r"(?P<word>function\b|\\\(|R6Class|setRefClass)"
            ),
            "call": (
                r"(?P<word>setClass|setGeneric|setMethod|setRefClass)\(\s*[\"'](?P<name>[\w.]+)"
            ),
        },
        words="r6class=class setrefclass=class setclass=class",
    ),
    _make(
        "julia",
        "module_definition=module",
        imports="using_statement import_statement",
        wrappers="macrocall_expression macro_argument_list",
        opens="block",
        leads="string_literal",
        heads={
            "function_definition": r"function\s+(?P<name>[\w.!]+)",
            "macro_definition": r"macro\s+(?P<name>[\w!]+)",
            "struct_definition": r"(?:mutable\s+)?(?P<word>struct)\s+(?P<name>\w+)",
            "abstract_definition": r"abstract\s+(?P<word>type)\s+(?P<name>\w+)",
            "assignment": r"(?P<name>[\w.!]+)\([^=\n]*\)[^=\n]*=(?!=)",
        },
        words="struct=struct type=type macro_definition=macro",
    ),
    _make(
        "perl",
        "function_definition=function package_statement=package",
        imports="use_no_statement require_statement use_statement bareword_import",
        leads="pod_statement",
        name_types="package_name",
    ),
    _make(
        "ocaml",
        "let_binding=function type_binding=type module_binding=module class_binding=class "
        "module_type_definition=interface method_definition=method external=function",
        wheel="tree_sitter_ocaml:language_ocaml",
        imports="open_module",
        wrappers="value_definition type_definition module_definition class_definition",
        opens="structure object_expression signature value_definition type_definition",
        name_fields=("pattern", "name"),
        name_types="module_name class_name module_type_name method_name value_name",
    ),
    _make(
        "sql",
        heads={
            "statement create_table create_view create_function": (
                r"(?i)create\s+(?:or\s+replace\s+)?"
                r"(?:temp(?:orary)?\s+|unique\s+|materialized\s+|global\s+|virtual\s+)*"
                r"(?P<word>table|view|function|procedure|index|type|trigger|schema|sequence)\s+"
                r"(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?P<name>[\w.\"`]+)"
            )
        },
        words="table=type view=view function=function procedure=function index=index type=type "
        "trigger=trigger schema=namespace sequence=sequence",
    ),
    _make("css", **_STYLES),
    _make("scss", "mixin_statement=function function_statement=function", **_STYLES),
    *(
        _make(
            name,
            wheel="tree_sitter_json",
            heads={"pair member": r'["\']?(?P<name>[^"\'\n:]{1,100})["\']?\s*:'},
            words="pair=key member=key",
            free_names=True,
        )
        for name in ("json", "jsonc", "json5")
    ),
    _make(
        "yaml",
        crashing=r"(?m)^[ ?:-]{128,}",
        heads={"block_mapping_pair": r"(?P<name>[^:\n]{1,100}?)\s*:(?=\s|$)"},
        words="block_mapping_pair=key",
        free_names=True,
    ),
    _make(
        "toml",
        heads={"table table_array_element": r"\[\[?\s*(?P<name>[^\]\n]+?)\s*\]"},
        words="table=table table_array_element=table",
        free_names=True,
    ),
    _make(
        "ini",
        heads={"section": r"\[(?P<name>[^\]\n]+)\]"},
        words="section=table",
        free_names=True,
    ),
    _make(
        "hcl",
        opens="body",
        heads={"block": r"\w+\s+(?P<name>\"[^\"\n]+\"(?:\s+\"[^\"\n]+\")?)"},
        words="block=resource",
    ),
    _make(
        "proto",
        "message=message service=service rpc=method enum=enum",
        imports="import",
        opens="message_body",
        name_types="message_name service_name rpc_name enum_name",
    ),
    _make(
        "graphql",
        opens="document",
        heads={
            "definition": (
                r'(?:"""(?:.|\n)*?"""\s*|"[^"\n]*"\s*)?(?:extend\s+)?'
                r"(?P<word>type|input|enum|interface|union|scalar|query|mutation|subscription|"
                r"fragment|directive)\s+@?(?P<name>\w+)"
            )
        },
        words="type=type input=type enum=enum interface=interface union=type scalar=type",
    ),
    _make(
        "powershell",
        "function_statement=function class_statement=class enum_statement=enum "
        "class_method_definition=method",
        import_heads={"pipeline": r"(?i)(?:using|import-module)\b"},
        opens="statement_list",
        name_types="function_name simple_name",
    ),
    _make(
        "clojure",
        free_names=True,
        import_heads={"list_lit": r"\((?:ns|require|import|use)\b"},
        heads={"list_lit": r"\((?P<word>def[\w-]*)\s+(?:\^\S+\s+)*(?P<name>[^\s()\[\]{}]+)"},
        words="def=constant defonce=constant defmacro=macro defprotocol=protocol defrecord=record "
        "deftype=type defmulti=function defmethod=function",
    ),
    *(
        _make(
            name,
            free_names=True,
            import_heads={"list": r"\((?:require|import|use-modules)\b"},
            heads={"list": r"\((?P<word>(?:cl-)?def[\w-]*|struct)\s+\(*(?P<name>[^\s()\[\]]+)"},
            words="defvar=constant defcustom=constant defmacro=macro define-syntax=macro "
            "define-syntax-rule=macro struct=struct define-record-type=struct",
        )
        for name in ("scheme", "racket")
    ),
    _make(
        "erlang",
        "record_decl=record",
        imports="import_attribute pp_include pp_include_lib",
        leads="spec",
        heads={"fun_decl": r"(?P<name>[a-z]\w*|'[^'\n]+')\s*\("},
        joins_clauses=True,
    ),
    _make(
        "fortran",
        imports="use_statement include_statement",
        opens="internal_procedures",
        heads={
            "module": r"(?i)module\s+(?P<name>\w+)",
            "submodule": r"(?i)submodule\s*\([^)]*\)\s*(?P<name>\w+)",
            "program": r"(?i)program\s+(?P<name>\w+)",
            "subroutine function": r"(?i)[^\n]*?\b(?:subroutine|function)\s+(?P<name>\w+)",
            "derived_type_definition": r"(?i)type\b(?:[^:\n]*::)?\s*(?P<name>\w+)",
        },
        words="module=module submodule=module program=module derived_type_definition=struct",
    ),
    _make(
        "groovy",
        "class_definition=class function_definition=function function_declaration=function",
        imports="groovy_import",
        opens="closure",
        name_fields=("name", "function"),
        name_types="identifier",
    ),
    _make(
        "solidity",
        "contract_declaration=contract interface_declaration=interface library_declaration=library "
        "struct_declaration=struct enum_declaration=enum function_definition=function "
        "modifier_definition=function event_definition=event error_declaration=event "
        "constructor_definition=method",
        imports="import_directive",
        opens="contract_body",
        fixed_names="constructor_definition=constructor",
    ),
    _make(
        "nix",
        heads={"binding": r"(?P<name>[\w.'\"-]+)\s*="},
        words="binding=key",
        free_names=True,
    ),
    _make("vim", heads={"function_definition": r"\s*fu\w*!?\s+(?P<name>[\w:.#]+)"}),
    _make(
        "cmake",
        import_heads={"normal_command": r"(?i)(?:include|find_package|add_subdirectory)\s*\("},
        heads={
            "function_def": r"(?i)function\s*\(\s*(?P<name>[\w-]+)",
            "macro_def": r"(?i)macro\s*\(\s*(?P<name>[\w-]+)",
        },
        words="macro_def=macro",
    ),
    _make(
        "make",
        "define_directive=macro",
        imports="include_directive",
        heads={"rule": r"(?P<name>[^\s:=][^\n:=]*?)\s*::?"},
        words="rule=target",
        free_names=True,
    ),
    _make(
        "just",
        imports="import",
        heads={"recipe": r"(?:\[[^\]\n]*\]\s*)*@?(?P<name>[\w-]+)"},
        words="recipe=target",
    ),
    *(_make(name) for name in ("dockerfile", "jsonnet", "xml", "dtd", "batch", "kdl", "wat")),
)
