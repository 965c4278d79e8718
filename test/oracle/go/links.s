// Go wants an assembly file, if only an empty one, beside functions that are declared and linked by name.
