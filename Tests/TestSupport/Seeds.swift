// The generator has a module of its own for the programs of the damage suite, which do not use Foundation.
@_exported public import Seeds
