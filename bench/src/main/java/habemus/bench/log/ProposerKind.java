package habemus.bench.log;

/** How a proposer waits for its entry. */
enum ProposerKind {

    /** A thread that blocks until its entry is applied. */
    THREAD,

    /** A callback of its last entry, as the lock server proposes. */
    CALLBACK
}
