package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// edit replaces the bytes from one position of a file to another.
type edit struct {
	from, to token.Pos
	text     string
	change   string // what it does, such as "< to <="
}

// swaps are the operators that a mutant confuses.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// words are the names that a mutant confuses.
var words = map[string]string{"min": "max", "max": "min", "Min": "Max", "Max": "Min", "true": "false", "false": "true"}

// editsOf returns the edits of a declaration, in the order of the file. Some
// do not compile.
func editsOf(d ast.Decl) []edit {
	var all []edit
	var inspect func(n ast.Node) bool
	inspect = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			// Another step after each round makes most loops endless.
			for _, part := range []ast.Node{n.Init, n.Cond, n.Body} {
				if part != nil {
					ast.Inspect(part, inspect)
				}
			}
			return false
		case *ast.BinaryExpr:
			all = append(all, swap(n.OpPos, n.Op)...)
		case *ast.AssignStmt:
			all = append(all, swap(n.TokPos, n.Tok)...)
		case *ast.IncDecStmt:
			all = append(all, swap(n.TokPos, n.Tok)...)
		case *ast.IfStmt:
			all = append(all, negate(n.Cond)...)
		case *ast.BasicLit:
			all = append(all, otherNumbers(n)...)
		case *ast.Ident:
			if other, ok := words[n.Name]; ok {
				all = append(all, edit{n.Pos(), n.End(), other, n.Name + " to " + other})
			}
		case *ast.ReturnStmt:
			all = append(all, withoutError(n)...)
		case *ast.BlockStmt:
			all = append(all, deletions(n.List)...)
		case *ast.CaseClause:
			all = append(all, deletions(n.Body)...)
		case *ast.CommClause:
			all = append(all, deletions(n.Body)...)
		case *ast.CallExpr:
			return !reserves(n)
		case *ast.ArrayType, *ast.StructType, *ast.ImportSpec:
			return false
		}
		return true
	}
	ast.Inspect(d, inspect)
	slices.SortFunc(all, func(a, b edit) int {
		if a.from != b.from {
			return int(a.from) - int(b.from)
		}
		return strings.Compare(a.change, b.change)
	})
	return all
}

func swap(at token.Pos, is token.Token) []edit {
	other, ok := swaps[is]
	if !ok {
		return nil
	}
	return []edit{{at, at + token.Pos(len(is.String())), other.String(), is.String() + " to " + other.String()}}
}

// negate inverts a condition. Where the swap of its operator does that already,
// it returns nothing.
func negate(condition ast.Expr) []edit {
	if b, ok := condition.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return nil
	}
	return []edit{{condition.Pos(), condition.End(), "!(" + original + ")", "negated condition"}}
}

// original stands in an edit for the text that it replaces.
const original = "\x00"

// otherNumbers returns the number plus one, and zero.
func otherNumbers(n *ast.BasicLit) []edit {
	replace := func(by string) edit { return edit{n.Pos(), n.End(), by, n.Value + " to " + by} }
	switch n.Kind {
	case token.INT:
		i, ok := new(big.Int).SetString(n.Value, 0)
		if !ok {
			return nil
		}
		plus := replace(new(big.Int).Add(i, big.NewInt(1)).String())
		if i.Sign() == 0 {
			return []edit{plus}
		}
		return []edit{plus, replace("0")}
	case token.FLOAT:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return nil
		}
		return []edit{replace(strconv.FormatFloat(f+1, 'g', -1, 64))}
	}
	return nil
}

// withoutError makes a return forget its error.
func withoutError(r *ast.ReturnStmt) []edit {
	if len(r.Results) == 0 {
		return nil
	}
	last := r.Results[len(r.Results)-1]
	switch last := last.(type) {
	case *ast.Ident:
		if last.Name != "err" {
			return nil
		}
	case *ast.CallExpr:
		if f, ok := last.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Errorf" && f.Sel.Name != "New" {
			return nil
		}
	default:
		return nil
	}
	return []edit{{last.Pos(), last.End(), "nil", "nil for an error"}}
}

// deletions deletes single statements that have an effect.
func deletions(statements []ast.Stmt) []edit {
	var all []edit
	for _, s := range statements {
		what := ""
		switch s := s.(type) {
		case *ast.ExprStmt:
			if !isHelper(s.X) {
				what = "call"
			}
		case *ast.IncDecStmt:
			what = "step"
		case *ast.BranchStmt:
			what = s.Tok.String()
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				what = "assignment"
			}
		}
		if what != "" {
			all = append(all, edit{s.Pos(), s.End(), "", fmt.Sprintf("without the %s", what)})
		}
	}
	return all
}

// reserves reports whether a call only makes room, so that another number in
// it is no mistake that a test can see.
func reserves(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "make" && len(call.Args) == 3
	case *ast.SelectorExpr:
		return f.Sel.Name == "Grow"
	}
	return false
}

// isHelper reports whether an expression calls Helper of a test, which only selects
// the line that Go names in front of a failure.
func isHelper(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.Sel.Name == "Helper"
}
