package callers

// Budget limits the retries of one process. GRPC, Share and Deposits are budgets, made by
// their functions: zero values are of no use. A retry without budget gives the job up.
// Budgets are not safe for concurrent use.
type Budget interface {
	// First notes the first call of a job, at now in ns.
	First(now int64)
	// Admitted notes a call that is admitted.
	Admitted()
	// Refused notes a call that is refused, whether it will be retried or not.
	Refused()
	// Retry reports whether the caller of a refused call may retry it, and if so takes the
	// retry from the budget. open is the number of calls that are open, without those that
	// wait for a retry. Times must not decrease.
	Retry(now, open int64) bool
	// Ended notes that a retry that was allowed has ended, admitted or refused. If it is
	// refused, that is before the next Retry.
	Ended()
}

// idle ignores what a budget does not count.
type idle struct{}

func (idle) First(int64) {}
func (idle) Admitted()   {}
func (idle) Refused()    {}
func (idle) Ended()      {}

// mostParts is the largest denominator of a share, so that sums of two fractions fit.
const mostParts = 4e9

// checkShare panics unless a fraction is from 0 to 1000 with a denominator of at most mostParts.
func checkShare(num, den int64) {
	if num < 0 || den < 1 || den > mostParts || num > 1000*den {
		panic("callers: a share of a budget is outside its range")
	}
}
