// Package redis asks a script in a Redis server whether requests are admitted. It is
// built with the tag network alone; targets.Redis declares it.
//
// The package makes no promise: it can change at any time.
package redis
