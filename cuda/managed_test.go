package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

var managedNames = memorytest.ManagedNames[Location, Advice, AttachFlags, Attribute]{
	Host:       HostLocation,
	ReadMostly: ReadMostly, NotReadMostly: NotReadMostly, PreferredLocation: PreferredLocation,
	NoPreferredLocation: NoPreferredLocation, AccessedBy: AccessedBy, NotAccessedBy: NotAccessedBy,
	AttachGlobal: AttachGlobal, AttachHost: AttachHost, AttachStream: AttachStream,
	Concurrent: AttrConcurrentManagedAccess,
}

func TestManaged(t *testing.T)            { memorytest.Managed(t, rig, managedNames) }
func TestManagedKeepsAdvice(t *testing.T) { memorytest.ManagedKeepsAdvice(t, rig, managedNames) }
func TestManagedMisuse(t *testing.T)      { memorytest.ManagedMisuse(t, rig, managedNames) }

func TestLocations(t *testing.T) {
	for _, x := range []struct {
		at   Location
		want string
	}{
		{Location{}, "nowhere in particular"}, {HostLocation, "host"}, {NUMALocation(3), "NUMA node 3"},
		{NearestNUMALocation, "nearest NUMA node"}, {oldLocation(2), "device 2"}, {oldLocation(deviceHost), "host"},
		{oldLocation(deviceNone), "nowhere in particular"}, {Location{kind: 9, id: 1}, "place 1 of kind 9"}, {(*Device)(nil).Location(), "nowhere in particular"},
	} {
		if got := x.at.String(); got != x.want {
			t.Errorf("%+v reads %q, not %q", x.at, got, x.want)
		}
	}
}
