package habemus.world;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The judges of one run, and what each has seen so far. */
public final class Court {

    private final List<Judge<Object>> judges = new ArrayList<>();
    private final Object[] minds;
    private final boolean[] violated;
    private final OptionalInt bypassBound;
    private final boolean causal;

    /** @param bypassBound how often one who waits may be passed, if there is such a bound */
    public Court(Problem problem, World world, OptionalInt bypassBound) {
        this(Property.of(problem), world, bypassBound);
    }

    /** One that judges only these. */
    public Court(List<Property> properties, World world, OptionalInt bypassBound) {
        this.bypassBound = bypassBound;
        causal = world.topology().highest() <= Causality.MOST;
        properties.forEach(property -> judges.add(erased(judge(property, world, bypassBound))));
        minds = judges.stream().map(Judge::start).toArray();
        violated = new boolean[minds.length];
    }

    /** The judge of one property, as a pure machine. */
    public static Judge<?> judge(Property property, World world, OptionalInt bypassBound) {
        return switch (property) {
            case MUTUAL_EXCLUSION -> new MutexJudges.MutualExclusion();
            case DEADLOCK_FREEDOM -> new MutexJudges.DeadlockFreedom();
            case NO_STARVATION -> new MutexJudges.NoStarvation();
            case HAPPENED_BEFORE_ORDER -> new MutexJudges.HappenedBeforeOrder();
            case BOUNDED_WAITING -> new MutexJudges.BoundedWaiting(bypassBound.orElse(Integer.MAX_VALUE));
            case FENCES_GROW -> new MutexJudges.FencesGrow();
            case TOLD_BEFORE_REGRANTED -> new MutexJudges.ToldBeforeRegranted();
            case TERMINATION -> new ElectionJudges.Termination();
            case UNIQUENESS -> new ElectionJudges.Uniqueness();
            case ONE_LEADER_PER_TERM -> new ElectionJudges.OneLeaderPerTerm();
            case AGREEMENT -> new ElectionJudges.Agreement(world.topology().size());
            case BEST_WINS -> new ElectionJudges.BestWins(world);
            case STABILITY -> new ElectionJudges.Stability();
            case COMPLETENESS -> new DetectorJudges.Completeness(world.topology());
            case ACCURACY -> new DetectorJudges.Accuracy(world.topology());
            case EVENTUAL_ACCURACY -> new DetectorJudges.EventualAccuracy();
        };
    }

    @SuppressWarnings("unchecked") // a judge is only ever shown a mind of its own making
    private static Judge<Object> erased(Judge<?> judge) {
        return (Judge<Object>) judge;
    }

    /** Shows the judges what happened; tells the properties that it has just violated. */
    public List<Property> see(Happening seen) {
        List<Property> news = List.of();
        for (int j = 0; j < minds.length; j++) {
            var judge = judges.get(j);
            minds[j] = judge.after(minds[j], seen);
            if (!violated[j] && judge.property().when() == Property.When.ALWAYS && !judge.holds(minds[j])) {
                violated[j] = true;
                news = plus(news, judge.property());
            }
        }
        return news;
    }

    private static List<Property> plus(List<Property> some, Property one) {
        var more = new ArrayList<>(some);
        more.add(one);
        return more;
    }

    /** @param ended whether nothing more will happen, or it has been given time enough to settle */
    public Map<Property, Verdict> verdicts(boolean ended) {
        var verdicts = new EnumMap<Property, Verdict>(Property.class);
        for (int j = 0; j < minds.length; j++) {
            var property = judges.get(j).property();
            boolean holds = !violated[j] && judges.get(j).holds(minds[j]);
            boolean open = property.when() == Property.When.IN_THE_END && !ended
                    || property == Property.BOUNDED_WAITING && bypassBound.isEmpty()
                    || property == Property.HAPPENED_BEFORE_ORDER && !causal;
            verdicts.put(property, open ? Verdict.OPEN : holds ? Verdict.HOLDS : Verdict.VIOLATED);
        }
        return verdicts;
    }

    /** How often one who waited was passed at most. */
    public int largestBypass() {
        for (Object mind : minds) {
            if (mind instanceof MutexJudges.BoundedWaiting.Mind waiting) {
                return waiting.largest();
            }
        }
        return 0;
    }
}
