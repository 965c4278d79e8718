package main

import (
	"encoding/json"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"
)

// decode reads JSON as the API server does: names are case-sensitive. Panics with a refusal.
func decode(raw []byte, into any) {
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, into); err != nil {
		panic(refusal{err})
	}
}

// prune leaves out the fields that a Go type does not have, as the API server of this version does, and reports
// whether there were any. It looks into the annotation that holds a placement, too.
func prune(raw []byte, into any) ([]byte, bool) {
	var value any
	decode(raw, &value)
	pruned, changed := pruned(value, reflect.TypeOf(into))
	if !changed {
		return raw, false
	}
	text, err := json.Marshal(pruned)
	if err != nil {
		panic(refusal{err})
	}
	return text, true
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func pruned(value any, t reflect.Type) (any, bool) {
	for t.Kind() == reflect.Pointer && !t.Implements(unmarshaler) {
		t = t.Elem()
	}
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return value, false
	}
	changed := false
	switch typed := value.(type) {
	case map[string]any:
		for name, item := range typed {
			var of reflect.Type
			switch t.Kind() {
			case reflect.Struct:
				of = jsonFields(t)[name]
			case reflect.Map:
				of = t.Elem()
			default:
				return value, changed
			}
			if of == nil {
				delete(typed, name)
				changed = true
				continue
			}
			kept, lost := pruned(item, of)
			if text, isText := item.(string); isText && name == placementAnnotation {
				kept, lost = prunedPlacement(text)
			}
			typed[name] = kept
			changed = changed || lost
		}
	case []any:
		if t.Kind() != reflect.Slice {
			return value, false
		}
		for i, item := range typed {
			kept, lost := pruned(item, t.Elem())
			typed[i] = kept
			changed = changed || lost
		}
	}
	return value, changed
}

func prunedPlacement(text string) (any, bool) {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text, false
	}
	kept, changed := pruned(value, placementType)
	if !changed {
		return text, false
	}
	shorter, err := json.Marshal(kept)
	if err != nil {
		panic(refusal{err})
	}
	return string(shorter), true
}

var knownFields = map[reflect.Type]map[string]reflect.Type{}

func jsonFields(t reflect.Type) map[string]reflect.Type {
	if fields, known := knownFields[t]; known {
		return fields
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && field.Anonymous:
			embedded := field.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			for inner, of := range jsonFields(embedded) {
				fields[inner] = of
			}
		case name != "":
			fields[name] = field.Type
		}
	}
	knownFields[t] = fields
	return fields
}
