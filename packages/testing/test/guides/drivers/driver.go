package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var fields []string
		for _, field := range strings.Split(lines.Text(), "\t") {
			decoded, _ := base64.StdEncoding.DecodeString(field)
			fields = append(fields, string(decoded))
		}
		body, secrets := []byte(fields[0]), strings.Split(fields[2], "\n")
		if fields[1] == "v1" {
			fmt.Println(verify(body, fields[3], secrets))
			continue
		}
		now, _ := strconv.ParseInt(fields[6], 10, 64)
		fmt.Println(verifyStandard(body, fields[4], fields[5], fields[3], secrets, time.Unix(now, 0)))
	}
}
