"""How the tests write an Arrow type."""

import pyarrow as pa


def shown(field):
    def text(field):
        type = field.type
        if isinstance(type, pa.BaseExtensionType):
            return f"extension<{type.extension_name}>"
        if pa.types.is_map(type):
            return f"map<{text(type.key_field)}, {text(type.item_field)}{'' if type.item_field.nullable else ' not null'}>"
        if pa.types.is_list(type):
            return f"list<{named(type.value_field)}>"
        if pa.types.is_struct(type):
            return f"struct<{', '.join(named(child) for child in type)}>"
        return str(type)

    def named(field):
        return f"{field.name}: {text(field)}{'' if field.nullable else ' not null'}"
    return text(field) + ("" if field.nullable else " not null")
