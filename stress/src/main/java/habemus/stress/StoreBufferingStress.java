package habemus.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Each of two threads writes its own variable and reads that of the other. No interleaving lets both read 0. A
 * processor that keeps writes in a store buffer does.
 */
public final class StoreBufferingStress {

    private StoreBufferingStress() {}

    /** Plain variables. */
    @JCStressTest
    @State
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the first thread was faster")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the second thread was faster")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both writes came before both reads")
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "both reads overtook the writes: no interleaving")
    public static class Plain {
        private int x;
        private int y;

        @Actor
        public void first(II_Result result) {
            x = 1;
            result.r1 = y;
        }

        @Actor
        public void second(II_Result result) {
            y = 1;
            result.r2 = x;
        }
    }

    /** Volatile variables. */
    @JCStressTest
    @State
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the first thread was faster")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the second thread was faster")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both writes came before both reads")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "volatile accesses are sequentially consistent")
    public static class Volatile {
        private volatile int x;
        private volatile int y;

        @Actor
        public void first(II_Result result) {
            x = 1;
            result.r1 = y;
        }

        @Actor
        public void second(II_Result result) {
            y = 1;
            result.r2 = x;
        }
    }
}
