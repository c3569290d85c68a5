package habemus.harness.simulation;

import habemus.world.KebabCase;

/** A situation that a run of the service should go through, because implementations have gone wrong in it. */
public enum ServiceSituation {
    LEADER_ELECTED("a node became the leader of the log"),
    STALE_LEADER("a node led while an older leader did not know yet"),
    TRUNCATION("a follower removed entries that conflicted with the leader's"),
    TAIL_LOST("a crash took entries that were not synced"),
    SNAPSHOT_TAKEN("a node replaced entries by a snapshot"),
    SNAPSHOT_INSTALLED("a follower loaded the leader's snapshot"),
    RESTARTED("a node started with the files of an earlier life"),
    DAMAGE_REFUSED("a node refused to start with damaged files"),
    DISK_FAILED("a node stopped because its disk failed"),
    AMNESIA_REFUSED("a node that had lost its data was refused"),
    MEMBER_REFUSED("a member was refused by a peer that knew less"),
    MEMBER_JOINED("a node joined the cluster"),
    MEMBER_GONE("a member was removed"),
    CHANGE_REFUSED("a change of the members was refused or its outcome unknown"),
    SESSION_OPENED("a session was opened"),
    SESSION_EXPIRED("the service expired a session"),
    GRANTED("a request was granted at once"),
    HANDED_OVER("a waiter was granted"),
    QUOTA_FULL("a full quota refused a request or a session"),
    BUSY("a request found the lock held"),
    CANCELLED("a request was cancelled"),
    RELEASED("a hold was released"),
    REVOKED("a hold was revoked"),
    TRANSFERRED("leadership was transferred to a candidate"),
    DUPLICATE("a command was committed a second time"),
    LEASE_LOST("a client lost its lease on its own clock"),
    LOST_THEN_REGRANTED("the lock of a lost lease was granted to another client"),
    LEADERSHIP_WON("a candidate was elected"),
    STALE_FENCE("a resource refused a write with an old fence"),
    FENCED_WRITE("a resource accepted a write with a fence"),
    CLIENT_SWITCHED("a client connected to another node");

    private final String sentence;

    ServiceSituation(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
