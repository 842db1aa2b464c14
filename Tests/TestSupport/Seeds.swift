// The generator has a module of its own for the programs of the damage suite, which do without Foundation.
@_exported public import Seeds
