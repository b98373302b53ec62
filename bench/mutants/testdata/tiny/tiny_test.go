package tiny

import "testing"

func TestFare(t *testing.T) {
	if child, adult := Fare(5), Fare(70); child != 2 || adult != 7 {
		t.Errorf("fares of %d and %d", child, adult)
	}
}

func TestChild(t *testing.T) {
	if !Child(17) || Child(19) {
		t.Error("17 is no child, or 19 is one")
	}
}

func TestLarger(t *testing.T) {
	if Larger(1, 2) != 2 || Larger(3, 2) != 3 {
		t.Error("not the larger number")
	}
}
