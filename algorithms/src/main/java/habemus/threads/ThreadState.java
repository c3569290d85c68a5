package habemus.threads;

import habemus.protocol.NodeId;
import habemus.protocol.WireTags;

/**
 * The state of a thread.
 *
 * @param position the index of the statement that it executes
 * @param x its only local variable: the result of the last access that had one
 * @param round the number of rounds that it has completed
 */
public record ThreadState(NodeId self, Phase phase, int position, int x, int round) implements ProgramState {

    @WireTags({Phase.Running.class, Phase.Calling.class, Phase.Pausing.class, Phase.Spinning.class, Phase.Ended.class})
    public sealed interface Phase {
        record Running() implements Phase {}

        /** The thread waits for the answer of a shared object. */
        record Calling() implements Phase {}

        /** The thread pauses for a random time. */
        record Pausing() implements Phase {}

        /** The thread spins for ever on a value that it does not read again. */
        record Spinning() implements Phase {}

        record Ended() implements Phase {}
    }

    static ThreadState initial(NodeId self) {
        return new ThreadState(self, new Phase.Running(), 0, 0, 0);
    }

    ThreadState in(Phase next) {
        return new ThreadState(self, next, position, x, round);
    }

    ThreadState moved(int offset) {
        return new ThreadState(self, new Phase.Running(), position + offset, x, round);
    }

    ThreadState withX(int value) {
        return new ThreadState(self, phase, position, value, round);
    }

    ThreadState withRound(int next) {
        return new ThreadState(self, phase, position, x, next);
    }

    @Override
    public String label() {
        return "thread";
    }
}
