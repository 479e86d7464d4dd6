"""Tables of class-based and C-like languages: Python, JavaScript, Java, Go, Rust, C and kin.

Data only: node types as the grammars spell them, in the notation of `make_grammar`.
"""

from __future__ import annotations

from typing import Any

from scrubjay.chunk.grammar import make_grammar as _make

_C_KINDS = (
    "function_definition=function struct_specifier=struct union_specifier=union "
    "enum_specifier=enum type_definition=type preproc_def=macro preproc_function_def=macro "
)
_C: dict[str, Any] = {
    "imports": "preproc_include using_declaration module_import",
    "wrappers": "declaration template_declaration implementation_definition",
    "opens": "declaration_list linkage_specification preproc_if preproc_ifdef preproc_else "
    "preproc_elif preproc_elifdef namespace_definition field_declaration_list",
    "name_fields": ("name", "declarator"),
    "declarators": "parenthesized_declarator reference_declarator attributed_declarator",
    "need_body": "struct union enum class",
    "leads": "attribute_declaration",
    "separator": "::",
}
_JS_KINDS = (
    "function_declaration=function generator_function_declaration=function class_declaration=class "
    "method_definition=method "
)
_JS: dict[str, Any] = {
    "imports": "import_statement import_alias",
    "import_heads": {
        "lexical_declaration variable_declaration expression_statement": (
            r"(?:(?:const|let|var)\s+[^=]+=\s*)?(?:require\s*\(|import\s*\(|await import\s*\()"
        ),
        "export_statement": r"export\s+(?:type\s+)?(?:\*|\{)[^;]*\sfrom\s",
    },
    "wrappers": "export_statement lexical_declaration variable_declaration expression_statement "
    "ambient_declaration",
    "opens": "class_body statement_block lexical_declaration",
    "leads": "decorator",
    "bound": {
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "field_definition": ("property", "value"),
        "public_field_definition": ("name", "value"),
        "pair": ("key", "value"),
    },
    "values": "arrow_function=function function_expression=function generator_function=function "
    "class=class",
    "heads": {"variable_declarator": r"(?P<name>[A-Z][A-Z0-9_]+)\s*(?::[^=\n]+)?=(?!=)"},
    "words": "variable_declarator=constant",
    "separator": r"\.",
}
_TS_KINDS = _JS_KINDS + (
    "interface_declaration=interface type_alias_declaration=type enum_declaration=enum "
    "abstract_class_declaration=class internal_module=namespace module=module "
    "abstract_method_signature=method method_signature=method function_signature=function"
)
_TS = _JS | {"opens": "class_body statement_block lexical_declaration interface_body"}
_PYTHON: dict[str, Any] = {
    "imports": "import_statement import_from_statement future_import_statement",
    "wrappers": "decorated_definition expression_statement",
    "opens": "block if_statement else_clause elif_clause try_statement except_clause "
    "finally_clause with_statement",
    "name_fields": ("name", "left"),
    "heads": {"assignment": r"(?P<name>[A-Z_][A-Z0-9_]*)\s*(?::[^=\n]+)?=(?!=)"},
    "words": "assignment=constant",
}
_PYTHON_KINDS = "class_definition=class function_definition=function type_alias_statement=type"
_MODIFIERS = r"(?:[@\w.]+(?:\([^)]*\))?\s+)*?"

IMPERATIVE = (
    _make("python", _PYTHON_KINDS, **_PYTHON),
    _make(
        "starlark",
        _PYTHON_KINDS,
        **_PYTHON,
        import_heads={"expression_statement": r"load\s*\("},
    ),
    _make("javascript", _JS_KINDS, **_JS),
    _make("typescript", _TS_KINDS, wheel="tree_sitter_typescript:language_typescript", **_TS),
    _make("tsx", _TS_KINDS, wheel="tree_sitter_typescript:language_tsx", **_TS),
    _make(
        "java",
        "class_declaration=class interface_declaration=interface enum_declaration=enum "
        "record_declaration=record annotation_type_declaration=interface module_declaration=module "
        "method_declaration=method constructor_declaration=method "
        "compact_constructor_declaration=method",
        imports="import_declaration",
        opens="class_body interface_body enum_body enum_body_declarations annotation_type_body",
    ),
    _make(
        "kotlin",
        "function_declaration=function object_declaration=object companion_object=object "
        "secondary_constructor=method type_alias=type class_declaration=class",
        imports="import import_list import_header",
        opens="class_body enum_class_body",
        heads={
            "class_declaration": (
                r"[^{]*?\b(?P<word>enum(?=\s+class)|class|interface)(?:\s+class)?\s+(?P<name>\w+)"
            ),
        },
        words="class=class interface=interface enum=enum",
        name_fields=("name", "type"),
        name_types="simple_identifier type_identifier identifier",
        fixed_names="companion_object=Companion secondary_constructor=constructor",
    ),
    _make(
        "scala",
        "class_definition=class object_definition=object trait_definition=trait "
        "package_object=object enum_definition=enum function_definition=function "
        "function_declaration=function type_definition=type",
        imports="import_declaration export_declaration",
        opens="template_body enum_body package_clause extension_definition",
    ),
    _make(
        "go",
        "function_declaration=function method_declaration=method type_spec=type type_alias=type",
        imports="import_declaration",
        wrappers="type_declaration",
        opens="type_declaration",
        heads={
            "type_spec": r"(?P<name>\w+)(?:\[[^\]]*\])?\s+(?P<word>struct|interface)\b",
        },
        words="struct=struct interface=interface",
        receiver="receiver",
    ),
    _make(
        "rust",
        "function_item=function function_signature_item=function struct_item=struct enum_item=enum "
        "trait_item=trait impl_item=impl mod_item=module macro_definition=macro type_item=type "
        "union_item=union const_item=constant static_item=constant associated_type=type",
        imports="use_declaration extern_crate_declaration",
        opens="declaration_list foreign_mod_item",
        leads="attribute_item",
        name_fields=("name", "type"),
    ),
    _make("c", _C_KINDS, **_C),
    _make(
        "cpp",
        _C_KINDS + "class_specifier=class namespace_definition=namespace alias_declaration=type "
        "concept_definition=type",
        **_C,
    ),
    _make(
        "objc",
        _C_KINDS
        + "class_interface=interface class_implementation=class protocol_declaration=protocol",
        **_C | {"need_body": "struct union enum"},
        heads={"method_definition": r"[-+]\s*(?:\([^)]*\)\s*)?(?P<name>\w+)"},
        words="method_definition=method",
        name_types="identifier",
    ),
    _make(
        "csharp",
        "class_declaration=class interface_declaration=interface struct_declaration=struct "
        "enum_declaration=enum record_declaration=record namespace_declaration=namespace "
        "file_scoped_namespace_declaration=namespace delegate_declaration=type "
        "method_declaration=method constructor_declaration=method destructor_declaration=method "
        "property_declaration=property event_declaration=property "
        "local_function_statement=function",
        wheel="tree_sitter_c_sharp",
        imports="using_directive extern_alias_directive",
        opens="declaration_list preproc_if preproc_else preproc_elif",
    ),
    _make(
        "ruby",
        "class=class module=module method=method singleton_method=method",
        import_heads={"call": r"(?:require|require_relative|load|autoload)\b"},
        opens="body_statement singleton_class",
        heads={"assignment": r"(?P<name>[A-Z]\w*)\s*=(?!=)"},
        words="assignment=constant",
    ),
    _make(
        "php",
        "class_declaration=class interface_declaration=interface trait_declaration=trait "
        "enum_declaration=enum function_definition=function method_declaration=method "
        "namespace_definition=namespace",
        wheel="tree_sitter_php:language_php",
        imports="namespace_use_declaration",
        import_heads={"expression_statement": r"(?:require|include)(?:_once)?\b"},
        opens="declaration_list enum_declaration_list compound_statement if_statement",
        leads="attribute_list",
        need_body="namespace",
    ),
    _make(
        "swift",
        "class_declaration=class protocol_declaration=protocol function_declaration=function "
        "protocol_function_declaration=function typealias_declaration=type macro_declaration=macro "
        "init_declaration=method deinit_declaration=method subscript_declaration=method",
        imports="import_declaration",
        opens="class_body enum_class_body protocol_body",
        heads={
            "class_declaration": _MODIFIERS
            + r"(?P<word>class|struct|enum|extension|actor)\s+(?P<name>[\w.]+)"
        },
        words="class=class struct=struct enum=enum extension=extension actor=class",
        fixed_names="init_declaration=init deinit_declaration=deinit "
        "subscript_declaration=subscript",
    ),
)
