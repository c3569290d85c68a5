/** The algorithms of the catalogue as pure state machines: mutual exclusion, elections, failure detectors, Raft, threads. */
module habemus.algorithms {
    requires transitive habemus.core;
    requires static transitive org.jspecify;

    exports habemus.detector;
    exports habemus.election;
    exports habemus.mutex;
    exports habemus.raft;
    exports habemus.threads;
}
