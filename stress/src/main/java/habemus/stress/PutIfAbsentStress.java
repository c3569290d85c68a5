package habemus.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two threads put a key into a map unless it is there. The outcome says which of them did. */
public final class PutIfAbsentStress {

    private PutIfAbsentStress() {}

    /** {@code containsKey}, then {@code put}: a check and a later act, each of them atomic. */
    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first thread put the key")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second thread put the key")
    @Outcome(id = "true, true", expect = ACCEPTABLE_INTERESTING, desc = "both found the key absent")
    public static class CheckThenAct {
        private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

        @Actor
        public void first(ZZ_Result result) {
            result.r1 = put(1);
        }

        @Actor
        public void second(ZZ_Result result) {
            result.r2 = put(2);
        }

        private boolean put(int value) {
            if (map.containsKey("key")) {
                return false;
            }
            map.put("key", value);
            return true;
        }
    }

    /** {@code putIfAbsent}: one atomic operation. */
    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the first thread put the key")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the second thread put the key")
    @Outcome(expect = FORBIDDEN, desc = "exactly one thread puts the key")
    public static class Atomic {
        private final ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();

        @Actor
        public void first(ZZ_Result result) {
            result.r1 = map.putIfAbsent("key", 1) == null;
        }

        @Actor
        public void second(ZZ_Result result) {
            result.r2 = map.putIfAbsent("key", 2) == null;
        }
    }
}
