//go:build !unix

package main

import "os/exec"

func limitMemory() {}

func together(*exec.Cmd) {}

func endTogether(*exec.Cmd) {}
