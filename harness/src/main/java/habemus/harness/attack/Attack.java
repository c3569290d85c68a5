package habemus.harness.attack;

import java.io.IOException;
import java.util.List;

/** One way to attack a node. */
interface Attack {

    /** The node, or nodes, that an attack needs. */
    enum Setting {
        /** None: it runs in this process. */
        IN_PROCESS,
        /** Three nodes without TLS and policy. */
        OPEN,
        /** A node with TLS and a policy. */
        SECURED,
        /** A node that may open few files. */
        FEW_FILES,
        /** A node with a small heap. */
        SMALL_HEAP
    }

    /**
     * @param done what was sent or opened, as text
     * @param failures what the node did wrong
     */
    record Outcome(String done, List<String> failures) {}

    String name();

    /** One line for the list of attacks. */
    String summary();

    Setting setting();

    /** @throws IOException if the attacker cannot connect, which is a failure of the node */
    Outcome run(AttackRun run) throws IOException, InterruptedException;

    /** What follows when the latency of the honest client is measured. */
    default void finish(AttackRun run) {}
}
