package habemus.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread makes an object with four fields of 1 and publishes it in a variable. The other reads the variable and
 * adds the fields. The outcome is the sum, or -1 if it found no object.
 */
public final class PublicationStress {

    private PublicationStress() {}

    private static final class PlainPoint {
        private int a;
        private int b;
        private int c;
        private int d;

        PlainPoint(int one) {
            a = one;
            b = one;
            c = one;
            d = one;
        }

        int sum() {
            return a + b + c + d;
        }
    }

    private record FinalPoint(int a, int b, int c, int d) {
        int sum() {
            return a + b + c + d;
        }
    }

    /** Plain fields, plain variable. */
    @JCStressTest
    @State
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "no object yet")
    @Outcome(id = "4", expect = ACCEPTABLE, desc = "the whole object")
    @Outcome(
            id = {"0", "1", "2", "3"},
            expect = ACCEPTABLE_INTERESTING,
            desc = "an object whose fields are not written yet")
    public static class Plain {
        private final int one = Integer.parseInt("1");
        private @Nullable PlainPoint point;

        @Actor
        public void writer() {
            point = new PlainPoint(one);
        }

        @Actor
        public void reader(I_Result result) {
            var read = point;
            result.r1 = read == null ? -1 : read.sum();
        }
    }

    /** Final fields, plain variable. */
    @JCStressTest
    @State
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "no object yet")
    @Outcome(id = "4", expect = ACCEPTABLE, desc = "the whole object")
    @Outcome(expect = FORBIDDEN, desc = "final fields are seen with the object")
    public static class Final {
        private final int one = Integer.parseInt("1");
        private @Nullable FinalPoint point;

        @Actor
        public void writer() {
            point = new FinalPoint(one, one, one, one);
        }

        @Actor
        public void reader(I_Result result) {
            var read = point;
            result.r1 = read == null ? -1 : read.sum();
        }
    }

    /** Plain fields, volatile variable. */
    @JCStressTest
    @State
    @Outcome(id = "-1", expect = ACCEPTABLE, desc = "no object yet")
    @Outcome(id = "4", expect = ACCEPTABLE, desc = "the whole object")
    @Outcome(expect = FORBIDDEN, desc = "what happened before a volatile write is seen after its read")
    public static class Volatile {
        private final int one = Integer.parseInt("1");
        private volatile @Nullable PlainPoint point;

        @Actor
        public void writer() {
            point = new PlainPoint(one);
        }

        @Actor
        public void reader(I_Result result) {
            var read = point;
            result.r1 = read == null ? -1 : read.sum();
        }
    }
}
