package habemus.harness.simulation;

import habemus.world.KebabCase;

/** What the nemesis does to a run of the service. */
public enum ServiceFault {
    KILL("a node was killed", 6),
    POWER_FAILURE("a node lost its power: unsynced data was lost, sectors of it torn", 6),
    POWER_FAILURE_IN_WRITE("a node lost its power in the middle of a write or a sync", 5),
    STOP("a node was stopped, and handed its leadership over", 2),
    PAUSE("a node was paused", 4),
    PARTITION("the processes were partitioned", 4),
    ISOLATION("a node was cut off from all others", 3),
    ONE_WAY_CUT("one direction between two nodes was cut", 4),
    RING("every node could reach its two neighbours only", 2),
    BROKEN_CONNECTIONS("connections broke, with what was in flight", 5),
    SLOW_NETWORK("messages were delayed", 3),
    SLOW_SYNC("syncs were slow", 3),
    FAILED_SYNC("a sync failed", 2),
    FULL_DISK("a disk was full", 2),
    BIT_ROT("a bit of a file flipped", 2),
    CUT_FILE("a file was cut off", 1),
    LOST_FILE("a file was deleted", 1),
    WIPED_FOLDER("a node returned with an empty folder", 1),
    OLD_COPY("a node returned with an old copy of its folder", 1),
    CLIENT_PAUSE("a client was paused", 6),
    CLIENT_KILL("a client was killed", 3),
    CLIENT_CUT("a client was cut off from some nodes", 4),
    CLIENT_MUTED("the replies to a client were slow, and then its requests were lost", 4),
    TRANSFER("the leader of the log was asked to hand over", 3),
    COMPACTION("a node was asked for a snapshot", 4),
    MEMBER_REPLACED("a member was removed, and joined again with an empty folder", 2),
    MEMBER_ADDED("a new node joined", 2),
    MEMBER_REMOVED("that node was removed", 2),
    REVOCATION("an operator revoked a hold, or ended a session", 3);

    private final String sentence;
    private final int weight;

    ServiceFault(String sentence, int weight) {
        this.sentence = sentence;
        this.weight = weight;
    }

    public String sentence() {
        return sentence;
    }

    /** How often it is drawn, beside the others. */
    int weight() {
        return weight;
    }

    /** Whether it takes data that a node has acknowledged. */
    boolean takesData() {
        return this == BIT_ROT || this == CUT_FILE || this == LOST_FILE || isAmnesia() || this == MEMBER_REPLACED;
    }

    /** Whether it can happen to a node that has its log on an engine, and keeps no files. */
    boolean isPossibleOnEngine() {
        return switch (this) {
            case KILL, STOP, PAUSE, PARTITION, ISOLATION, ONE_WAY_CUT, RING, BROKEN_CONNECTIONS, SLOW_NETWORK -> true;
            case CLIENT_PAUSE, CLIENT_KILL, CLIENT_CUT, CLIENT_MUTED, COMPACTION, REVOCATION -> true;
            case POWER_FAILURE, POWER_FAILURE_IN_WRITE, SLOW_SYNC, FAILED_SYNC, FULL_DISK, BIT_ROT -> false;
            case CUT_FILE, LOST_FILE, WIPED_FOLDER, OLD_COPY, TRANSFER -> false;
            case MEMBER_REPLACED, MEMBER_ADDED, MEMBER_REMOVED -> false;
        };
    }

    /** Whether the node does not notice by itself that its data is lost. */
    boolean isAmnesia() {
        return this == WIPED_FOLDER || this == OLD_COPY;
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
