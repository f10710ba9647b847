import { edit, solve, type Task } from '../task.ts';

const MODULE = { 'go.mod': 'module example.com/app\n\ngo 1.19\n' };

export const GO_TASKS: readonly Task[] = [
  {
    id: 'go-nil-map',
    language: 'Go',
    kind: 'bug',
    level: 1,
    needs: ['go'],
    make: (vary) => {
      const noun = vary.pick(['Votes', 'Scores', 'Visits']);
      return {
        files: {
          ...MODULE,
          'count/count.go': `package count

type ${noun} struct {
	counts map[string]int
}

func (v *${noun}) Add(name string) {
	v.counts[name]++
}

func (v *${noun}) Of(name string) int {
	return v.counts[name]
}
`,
        },
        prompts: [`The zero value of count.${noun} panics on Add. It should work without a constructor.`],
        mayChange: ['count/*.go'],
        check: async (result) => {
          await result.go(
            'count',
            `package count

import "testing"

func TestHidden(t *testing.T) {
	var v ${noun}
	if v.Of("a") != 0 {
		t.Fatal("not empty")
	}
	v.Add("a")
	v.Add("a")
	if v.Of("a") != 2 {
		t.Fatal(v.Of("a"))
	}
}`,
          );
        },
        solution: [
          solve(
            [
              edit(
                'count/count.go',
                '\tv.counts[name]++',
                '\tif v.counts == nil {\n\t\tv.counts = make(map[string]int)\n\t}\n\tv.counts[name]++',
              ),
            ],
            ['go vet ./...'],
            'Add makes the map on first use.',
          ),
        ],
      };
    },
  },
  {
    id: 'go-data-race',
    language: 'Go',
    kind: 'bug',
    level: 3,
    needs: ['go'],
    make: () => ({
      files: {
        ...MODULE,
        'cache/cache.go': `package cache

// Cache loads each key at most once.
type Cache struct {
	load   func(key string) (string, error)
	values map[string]string
}

func New(load func(key string) (string, error)) *Cache {
	return &Cache{load: load, values: map[string]string{}}
}

func (c *Cache) Get(key string) (string, error) {
	if value, ok := c.values[key]; ok {
		return value, nil
	}
	value, err := c.load(key)
	c.values[key] = value
	return value, err
}
`,
      },
      prompts: [
        'cache.Cache is used by many goroutines at once and sometimes crashes with "concurrent map writes". Also, after a failed load, an empty value comes without an error. Fix both. Different keys should still load at the same time.',
      ],
      mayChange: ['cache/*.go'],
      check: async (result) => {
        await result.go(
          'cache',
          `package cache

import (
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"
)

func TestHiddenErrors(t *testing.T) {
	fails := true
	c := New(func(string) (string, error) {
		if fails {
			return "", errors.New("no")
		}
		return "yes", nil
	})
	if _, err := c.Get("a"); err == nil {
		t.Fatal("no error")
	}
	if _, err := c.Get("a"); err == nil {
		t.Fatal("the failure was kept as a value")
	}
	fails = false
	if v, err := c.Get("a"); v != "yes" || err != nil {
		t.Fatal(v, err)
	}
}

func TestHiddenMany(t *testing.T) {
	c := New(func(key string) (string, error) { return key + "!", nil })
	var all sync.WaitGroup
	for i := 0; i < 64; i++ {
		all.Add(1)
		go func(i int) {
			defer all.Done()
			for j := 0; j < 500; j++ {
				key := strconv.Itoa((i + j) % 97)
				if v, _ := c.Get(key); v != key+"!" {
					t.Error(v)
				}
			}
		}(i)
	}
	all.Wait()
}

func TestHiddenTogether(t *testing.T) {
	both := make(chan string, 2)
	release := make(chan struct{})
	c := New(func(key string) (string, error) {
		both <- key
		<-release
		return key, nil
	})
	go c.Get("a")
	go c.Get("b")
	for i := 0; i < 2; i++ {
		select {
		case <-both:
		case <-time.After(10 * time.Second):
			t.Fatal("one load waits for the other")
		}
	}
	close(release)
}`,
        );
      },
      solution: [
        solve(
          [
            edit('cache/cache.go', 'package cache\n', 'package cache\n\nimport "sync"\n'),
            edit(
              'cache/cache.go',
              '\tvalues map[string]string\n}',
              '\tmu     sync.Mutex\n\tvalues map[string]string\n}',
            ),
            edit(
              'cache/cache.go',
              `	if value, ok := c.values[key]; ok {
		return value, nil
	}
	value, err := c.load(key)
	c.values[key] = value
	return value, err
`,
              `	c.mu.Lock()
	value, ok := c.values[key]
	c.mu.Unlock()
	if ok {
		return value, nil
	}
	value, err := c.load(key)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = value
	return value, nil
`,
            ),
          ],
          ['go vet ./...'],
          'A mutex guards the map but not the load, and failures are not kept.',
        ),
      ],
    }),
  },
  {
    id: 'go-wrap-errors',
    language: 'Go',
    kind: 'refactoring',
    level: 2,
    needs: ['go'],
    make: () => ({
      files: {
        ...MODULE,
        'store/store.go': `package store

import (
	"errors"
	"fmt"
)

var ErrMissing = errors.New("missing")

func find(rows map[string]string, key string) (string, error) {
	value, ok := rows[key]
	if !ok {
		return "", ErrMissing
	}
	return value, nil
}

func Load(rows map[string]string, key string) (string, error) {
	value, err := find(rows, key)
	if err != nil {
		return "", fmt.Errorf("load %s: %s", key, err)
	}
	return value, nil
}
`,
        'web/web.go': `package web

import (
	"strings"

	"example.com/app/store"
)

func Status(rows map[string]string, key string) int {
	_, err := store.Load(rows, key)
	if err != nil && strings.Contains(err.Error(), "missing") {
		return 404
	}
	if err != nil {
		return 500
	}
	return 200
}
`,
      },
      prompts: [
        'web.Status decides by the text of an error. Let store.Load wrap its errors so that web can use errors.Is with store.ErrMissing. The texts stay the same.',
      ],
      mayChange: ['store/*.go', 'web/*.go'],
      check: async (result) => {
        await result.go(
          'web',
          `package web

import (
	"errors"
	"testing"

	"example.com/app/store"
)

func TestHidden(t *testing.T) {
	_, err := store.Load(nil, "k")
	if !errors.Is(err, store.ErrMissing) || err.Error() != "load k: missing" {
		t.Fatal(err)
	}
	if Status(nil, "missing") != 404 || Status(map[string]string{"a": ""}, "a") != 200 {
		t.Fatal("wrong status")
	}
}`,
        );
        if (/strings\.|\.Error\(\)/.test(await result.read('web/web.go')))
          throw new Error('web.go still reads the text.');
      },
      solution: [
        solve(
          [
            edit('store/store.go', '"load %s: %s"', '"load %s: %w"'),
            edit('web/web.go', '\t"strings"', '\t"errors"'),
            edit(
              'web/web.go',
              'if err != nil && strings.Contains(err.Error(), "missing") {',
              'if errors.Is(err, store.ErrMissing) {',
            ),
          ],
          ['go vet ./...'],
          'Load wraps with %w, and Status uses errors.Is.',
        ),
      ],
    }),
  },
];
