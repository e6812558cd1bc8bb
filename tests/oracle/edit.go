package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
)

// The resources of the server below: one of a type that kubectl has, and a custom one.
var resources = map[string]string{
	"/api":                 `{"kind":"APIVersions","versions":["v1"]}`,
	"/api/v1":              `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":[{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","patch"]}]}`,
	"/apis":                `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"example.com","versions":[{"groupVersion":"example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"example.com/v1","version":"v1"}}]}`,
	"/apis/example.com/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1","resources":[{"name":"things","singularName":"thing","namespaced":true,"kind":"Thing","verbs":["get","patch"]}]}`,
}

// Makes the patch with which kubectl edit changes the old object to the new one. The server has the
// old one, and keeps the patch; the editor copies the new one over what it is given.
func (l *line) edit() {
	var object struct{ Kind string }
	check(json.Unmarshal(l.Old, &object))
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		if found, ok := resources[request.URL.Path]; ok {
			fmt.Fprint(response, found)
		} else if filepath.Base(request.URL.Path) != "web" {
			response.WriteHeader(http.StatusNotFound)
		} else if request.Method == http.MethodPatch {
			patch, err := io.ReadAll(request.Body)
			check(err)
			l.Made, l.MediaType = compacted(patch), request.Header.Get("Content-Type")
			response.Write(l.New)
		} else {
			response.Write(l.Old)
		}
	}))
	defer server.Close()
	folder, err := os.MkdirTemp("", "oracle")
	check(err)
	defer os.RemoveAll(folder)
	edited := filepath.Join(folder, "new.json")
	check(os.WriteFile(edited, l.New, 0o600))
	command := exec.Command(kubectl(), "edit", "--server", server.URL, "--cache-dir", folder, "--validate=false", "-o", "json", object.Kind, "web")
	command.Env = append(os.Environ(), "KUBE_EDITOR=cp "+edited, "KUBECONFIG="+os.DevNull, "NO_PROXY=*")
	if output, err := command.CombinedOutput(); err != nil {
		log.Printf("%s: %v: %s", l.Name, err, output)
	}
}
