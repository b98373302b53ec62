package lists

// Try returns what of makes of each item, in order, or the first error.
func Try[T, R any](items []T, of func(T) (R, error)) (made []R, err error) {
	for _, item := range items {
		one, err := of(item)
		if err != nil {
			return nil, err
		}
		made = append(made, one)
	}
	return made, nil
}
