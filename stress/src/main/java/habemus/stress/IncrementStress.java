package habemus.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads increment a number once each. The outcome is the number. */
public final class IncrementStress {

    private IncrementStress() {}

    /** {@code n++}. */
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both increments count")
    @Outcome(id = "1", expect = ACCEPTABLE_INTERESTING, desc = "both read 0: one increment is lost")
    public static class Plain {
        private int n;

        @Actor
        public void first() {
            n++;
        }

        @Actor
        public void second() {
            n++;
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = n;
        }
    }

    /** {@code n++} of a volatile variable. */
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both increments count")
    @Outcome(id = "1", expect = ACCEPTABLE_INTERESTING, desc = "both read 0: one increment is lost")
    @SuppressWarnings("NonAtomicVolatileUpdate") // the defect that this test shows
    public static class Volatile {
        private volatile int n;

        @Actor
        public void first() {
            n++;
        }

        @Actor
        public void second() {
            n++;
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = n;
        }
    }

    /** {@code n.incrementAndGet()}. */
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both increments count")
    @Outcome(expect = FORBIDDEN, desc = "an increment is lost")
    public static class Atomic {
        private final AtomicInteger n = new AtomicInteger();

        @Actor
        public void first() {
            n.incrementAndGet();
        }

        @Actor
        public void second() {
            n.incrementAndGet();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = n.get();
        }
    }
}
