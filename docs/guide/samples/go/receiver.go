package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
)

type notification struct {
	Event    string `json:"event"`
	EventID  string `json:"eventId"`
	Sequence int64  `json:"sequence"`
	Data     struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		IsTest bool   `json:"isTest"`
	} `json:"data"`
}

// store is in memory, because Go has no database of its own. In your receiver, keep is two statements of one
// transaction.
type store struct {
	sync.Mutex
	events  map[string]bool
	objects map[string]int64
}

// keep runs work once for each event and never for an older one.
func (s *store) keep(n notification, work func() error) (string, error) {
	s.Lock()
	defer s.Unlock()
	if s.events[n.EventID] {
		return "duplicate", nil
	}
	outcome := "late"
	if newest, known := s.objects[n.Data.ID]; !known || newest < n.Sequence {
		if err := work(); err != nil {
			return "", err
		}
		outcome = "new"
		s.objects[n.Data.ID] = n.Sequence
	}
	s.events[n.EventID] = true
	return outcome, nil
}

func main() {
	secrets := strings.Split(os.Getenv("WEBHOOK_SECRET"), ",")
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	kept := &store{events: map[string]bool{}, objects: map[string]int64{}}

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !verify(body, r.Header.Get("X-Webhook-Signature"), secrets) {
			http.Error(w, "wrong signature", http.StatusUnauthorized)
			return
		}
		var n notification
		if err := json.Unmarshal(body, &n); err != nil {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		if n.Data.IsTest {
			fmt.Fprintln(w, "test")
			return
		}
		outcome, err := kept.keep(n, func() error {
			fmt.Printf("%s is %s, says %s\n", n.Data.ID, n.Data.Status, n.Event)
			return nil
		})
		if err != nil {
			log.Print(err)
			http.Error(w, "try again", http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, outcome)
	})
	fmt.Println("listening on", port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
