package main

import (
	"reflect"
	"unsafe"
)

// internal reaches a field of the struct that target points to, also one that its package keeps to itself.
func internal(target any, name string) reflect.Value {
	value := reflect.ValueOf(target).Elem().FieldByName(name)
	return reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
}

// setField sets such a field.
func setField(target any, name string, value any) {
	internal(target, name).Set(reflect.ValueOf(value))
}

// newWithMap sets a field to a new struct whose named map is empty but not nil.
func newWithMap(target any, name, mapName string) {
	pointer := internal(target, name)
	pointer.Set(reflect.New(pointer.Type().Elem()))
	inner := internal(pointer.Interface(), mapName)
	inner.Set(reflect.MakeMap(inner.Type()))
}
