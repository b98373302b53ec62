package random

import (
	"testing"
)

func BenchmarkUint64(b *testing.B) {
	s := New(1, 0, "bench")
	for b.Loop() {
		s.Uint64()
	}
}

func BenchmarkBelow(b *testing.B) {
	s := New(1, 0, "bench")
	for b.Loop() {
		s.Below(100)
	}
}

func BenchmarkFillBelow(b *testing.B) {
	s := New(1, 0, "bench")
	dst := make([]int32, 1024)
	for b.Loop() {
		s.FillBelow(dst, 100)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/draw")
}

func BenchmarkExponential(b *testing.B) {
	s := New(1, 0, "bench")
	for b.Loop() {
		s.Exponential()
	}
}

func BenchmarkFillExponential(b *testing.B) {
	s := New(1, 0, "bench")
	dst := make([]uint64, 1024)
	for b.Loop() {
		s.FillExponential(dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/draw")
}

func BenchmarkNormal(b *testing.B) {
	s := New(1, 0, "bench")
	for b.Loop() {
		s.Normal()
	}
}

func BenchmarkLognormal(b *testing.B) {
	s := New(1, 0, "bench")
	l, _ := NewLatency("lognormal", 1e6, 15e6, 0)
	for b.Loop() {
		l.Draw(&s)
	}
}
