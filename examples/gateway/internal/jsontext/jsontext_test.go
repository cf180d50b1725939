package jsontext

import (
	"strings"
	"testing"
)

func TestMembers_AreTheBytesThatCame(t *testing.T) {
	text := " {\"a\" : 1e2 , \"b\":\"\\u0041\\n\" ,\"c\": { \"x\" : [1 , 2] },\"a\":null } \n"
	members, err := Members([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a=1e2", `b="\u0041\n"`, `c={ "x" : [1 , 2] }`, "a=null"}
	for i, member := range members {
		if got := member.Key + "=" + string(member.Value); got != want[i] || text[member.Begin:member.End] != string(member.Value) {
			t.Errorf("got %q, want %q, at %q", got, want[i], text[member.Begin:member.End])
		}
	}
	if _, err := Find(members, "a"); err == nil {
		t.Error("a member that is given twice was found")
	}
	if member, err := Find(members, "b"); err != nil || member == nil {
		t.Error(member, err)
	}
}

func TestFind_RefusesAnotherCase(t *testing.T) {
	for text, refused := range map[string]bool{`{"model":1,"Model":2}`: true, `{"MODEL":1,"model":2}`: true, `{"Model":1}`: false} {
		members, _ := Members([]byte(text))
		if _, err := Find(members, "model"); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMembers_RefusesWhatIsNoObject(t *testing.T) {
	for _, text := range []string{"", "{", `{"a"`, `{"a":1`, `{"a":1}x`, "[]", "1", `{"a":1}{}`, strings.Repeat("[", 100000), `{"a":` + strings.Repeat("[", 100000)} {
		if _, err := Members([]byte(text)); err == nil {
			t.Errorf("%.40q was read", text)
		}
	}
}

func TestSet_ChangesNothingElse(t *testing.T) {
	for text, want := range map[string]string{
		`{ "model" : "auto" , "x":1.0}`: `{ "model" : "big" , "x":1.0}`,
		`{"x":1}`:                       `{"model":"big","x":1}`,
		` {}`:                           ` {"model":"big"}`,
	} {
		if got, err := Set([]byte(text), "model", Quote("big")); err != nil || string(got) != want {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
