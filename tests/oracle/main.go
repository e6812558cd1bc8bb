// Applies configurations and patches, and makes patches, with the code of Kubernetes: it reads a line
// of JSON for each input, and writes the line with the results. See README.md.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"

	"sigs.k8s.io/structured-merge-diff/v4/typed"
)

//go:embed schema.yaml
var schema string

// A line. The results are null where the code refuses the input.
type line struct {
	Name string `json:"name"`
	// The form of the patch that is applied; edit to make one, and apply for a configuration.
	Type string `json:"type"`
	// An object, and a patch for it.
	Old    json.RawMessage `json:"old,omitempty"`
	Patch  json.RawMessage `json:"patch,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	// The object after an edit, the patch that changes the old one to it, and the media type of that.
	New       json.RawMessage `json:"new,omitempty"`
	Made      json.RawMessage `json:"made,omitempty"`
	MediaType string          `json:"mediaType,omitempty"`
	// An object, and a configuration that is merged into it.
	Live   interface{} `json:"live,omitempty"`
	Config interface{} `json:"config,omitempty"`
	// The fields of the configuration, both merged, and the part of that which has the fields.
	Fields json.RawMessage `json:"fields,omitempty"`
	Merged interface{}     `json:"merged,omitempty"`
	Owned  interface{}     `json:"owned,omitempty"`
}

func main() {
	parser, err := typed.NewParser(typed.YAMLObject(schema))
	check(err)
	pod := parser.Type("pod")
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for input.Scan() {
		var item line
		check(json.Unmarshal(input.Bytes(), &item))
		switch item.Type {
		case "edit":
			item.edit()
		case "apply":
			if err := item.apply(pod); err != nil {
				log.Printf("%s: %v", item.Name, err)
			}
		default:
			item.Result = patched(item.Old, item.Patch, item.Type)
		}
		check(output.Encode(item))
	}
	check(input.Err())
}

// The object after a patch of this type.
func patched(old, patch json.RawMessage, form string) json.RawMessage {
	command := exec.Command(kubectl(), "patch", "--local", "-f", "-", "--type", form, "-o", "json", "-p", string(patch))
	command.Stdin = bytes.NewReader(old)
	result, err := command.Output()
	if err != nil {
		return json.RawMessage("null")
	}
	return compacted(result)
}

func compacted(text []byte) json.RawMessage {
	var compact bytes.Buffer
	check(json.Compact(&compact, text))
	return compact.Bytes()
}

func kubectl() string {
	if name := os.Getenv("KUBECTL"); name != "" {
		return name
	}
	return "kubectl"
}

func (l *line) apply(pod typed.ParseableType) error {
	config, err := pod.FromUnstructured(l.Config)
	if err != nil {
		return err
	}
	live, err := pod.FromUnstructured(l.Live)
	if err != nil {
		return err
	}
	fields, err := config.ToFieldSet()
	if err != nil {
		return err
	}
	merged, err := live.Merge(config)
	if err != nil {
		return err
	}
	if l.Fields, err = fields.ToJSON(); err != nil {
		return err
	}
	l.Merged = merged.AsValue().Unstructured()
	l.Owned = merged.ExtractItems(fields.Leaves()).AsValue().Unstructured()
	return nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
