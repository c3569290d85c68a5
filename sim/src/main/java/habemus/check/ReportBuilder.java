package habemus.check;

import habemus.check.counterexample.CounterexampleBuilder;
import habemus.check.liveness.LivenessChecker;
import habemus.check.liveness.StateGraph;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.check.search.SearchResult;
import habemus.check.search.SearchStoppedException;
import habemus.check.search.ViolationCollector;
import habemus.check.store.NodeTransition;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Builds the report of a search: checks its endless runs, decides every property, and adds counterexamples. */
final class ReportBuilder {

    private final Protocol<?, ?> protocol;
    private final SearchResult result;
    private final List<Property> properties;
    private final Scope scope;
    private final List<String> limitsReached;
    private final List<String> unchecked = new ArrayList<>(); // why endless runs were not checked
    private final Map<Property, LivenessChecker.Continuation> endlessViolations = new EnumMap<>(Property.class);
    private Optional<LivenessChecker.BypassResult> bypass = Optional.empty();
    private final List<CheckReport.ProgramResult> programResults = new ArrayList<>();

    ReportBuilder(Protocol<?, ?> protocol, SearchResult result, List<Property> properties) {
        this.protocol = protocol;
        this.result = result;
        this.properties = properties;
        scope = result.stateSpace().scope();
        limitsReached = new ArrayList<>(result.limitsReached());
    }

    CheckReport build() {
        if (limitsReached.isEmpty()) {
            try {
                checkLiveness();
            } catch (SearchStoppedException stopped) {
                unchecked.add("endless runs: not all checked, " + stopped.getMessage());
            }
        }
        long beyondBound = result.beyondBound();
        if (beyondBound > 0) {
            limitsReached.add("%s: the %,d states beyond were not expanded"
                    .formatted(scope.bound().map(Scope.Bound::description).orElse(""), beyondBound));
        }
        addProgramResults();
        var failures = Stream.of(CheckReport.PROTOCOL_BUG, CheckReport.IMPURE)
                .flatMap(name -> result.find(name).stream())
                .toList();
        failures.forEach(failure -> limitsReached.add("no states after a " + failure.name()));
        var findings = new ArrayList<CheckReport.Finding>();
        properties.forEach(property -> findings.add(finding(property)));
        failures.forEach(failure -> findings.add(violated(failure)));
        return new CheckReport(
                result.states() - beyondBound,
                beyondBound,
                result.transitions(),
                result.depth(),
                result.quiescent(),
                Stream.concat(limitsReached.stream(), unchecked.stream()).toList(),
                result.bytes(),
                limitsReached.isEmpty()
                        ? bypass.stream()
                                .mapToInt(LivenessChecker.BypassResult::times)
                                .findFirst()
                        : OptionalInt.empty(),
                collisionProbability(),
                findings,
                result.stateSpace().assumptions().reductions(),
                programResults);
    }

    private void addProgramResults() {
        result.programResults().forEach((value, state) -> {
            var end = new ViolationCollector.Violation(Long.toString(value), "", state, -1, null);
            var replay = ModelChecker.playReadable(
                    protocol, scope, new CounterexampleBuilder(result).schedule(end, List.of()));
            programResults.add(new CheckReport.ProgramResult(value, replay.trace(), replay.schedule()));
        });
    }

    /** Of the runs that lose an update, the one with the smallest result says most. */
    private Optional<CheckReport.Finding> lostUpdate() {
        return programResults.stream()
                .filter(smallestSoFar -> limitsReached.isEmpty())
                .filter(programResult -> programResult.trace().stream()
                        .anyMatch(event -> event instanceof TraceEvent.Violated violated
                                && violated.property() == Property.NO_LOST_UPDATE))
                .findFirst()
                .map(smallest -> new CheckReport.Finding(
                        Property.NO_LOST_UPDATE.toString(),
                        Verdict.VIOLATED,
                        "the smallest final value is " + smallest.value(),
                        smallest.trace(),
                        smallest.schedule(),
                        OptionalInt.empty()));
    }

    /** Checks what no single state shows: endless runs, and the bypasses of a waiting node. */
    private void checkLiveness() {
        var undecided = properties.stream().filter(this::needsGraph).toList();
        if (undecided.isEmpty()) {
            return;
        }
        var stateSpace = result.stateSpace();
        long bytes = result.bytes() + StateGraph.bytes(result);
        if (scope.options().hashCompaction()) {
            unchecked.add("endless runs: not checked with hash compaction");
        } else if (bytes > scope.options().limits().maxBytes()) {
            unchecked.add("endless runs: not checked, %,d bytes needed".formatted(bytes));
        } else if (!stateSpace.assumptions().reductions().isEmpty()) {
            if (undecided.contains(Property.BOUNDED_WAITING) || new StateGraph(result).hasCycle()) {
                unchecked.add("endless runs: not checked in a reduced search");
            }
        } else {
            checkGraph(undecided);
        }
    }

    private void checkGraph(List<Property> undecided) {
        var liveness = new LivenessChecker(new StateGraph(result), result.stateSpace());
        for (Property property : undecided) {
            if (property == Property.BOUNDED_WAITING) {
                bypass = Optional.of(liveness.maxBypass());
            } else {
                liveness.findEndlessViolation(property)
                        .ifPresent(continuation -> endlessViolations.put(property, continuation));
            }
        }
    }

    /** Without back edges every run ends, and what is true in quiescent states is true eventually. */
    private boolean needsGraph(Property property) {
        return property == Property.BOUNDED_WAITING
                || property.when() == Property.When.EVENTUALLY
                        && result.find(property.toString()).isEmpty()
                        && result.hasBackEdge();
    }

    /** The birthday bound: each pair of states has the same hash with a probability of 2 to the -64. */
    private double collisionProbability() {
        double states = result.states();
        return scope.options().hashCompaction() ? Math.min(1, states * (states - 1) / 2 / 0x1p64) : 0;
    }

    private CheckReport.Finding finding(Property property) {
        if (property == Property.BOUNDED_WAITING) {
            return boundedWaiting();
        }
        var name = property.toString();
        var violation = result.find(name);
        if (violation.isPresent()) {
            return Optional.of(property)
                    .filter(Property.NO_LOST_UPDATE::equals)
                    .flatMap(lost -> lostUpdate())
                    .orElseGet(() -> violated(violation.get()));
        }
        var continuation = endlessViolations.get(property);
        if (continuation != null) {
            return violated(name, property.sentence(), continuation);
        }
        boolean open = !limitsReached.isEmpty()
                || result.isUndecided(property)
                || !unchecked.isEmpty() && needsGraph(property);
        return notViolated(name, open ? Verdict.OPEN : Verdict.HOLDS, "");
    }

    private CheckReport.Finding boundedWaiting() {
        var name = Property.BOUNDED_WAITING.toString();
        if (bypass.isEmpty()) {
            return notViolated(name, Verdict.OPEN, "");
        }
        var largest = bypass.get();
        if (largest.exceeds(scope.bypassBound())) {
            return violated(
                    name,
                    largest.describeViolation(scope.bypassBound()),
                    largest.continuation().orElseThrow());
        }
        if (!limitsReached.isEmpty()) {
            return notViolated(name, Verdict.OPEN, "");
        }
        return scope.bypassBound().isPresent()
                ? notViolated(name, Verdict.HOLDS, largest.describeBound())
                : notViolated(name, Verdict.OPEN, largest.describeLargest());
    }

    private static CheckReport.Finding notViolated(String name, Verdict verdict, String description) {
        return new CheckReport.Finding(name, verdict, description, List.of(), Schedule.EMPTY, OptionalInt.empty());
    }

    private CheckReport.Finding violated(ViolationCollector.Violation violation) {
        return violated(violation, List.of(), OptionalInt.empty());
    }

    private CheckReport.Finding violated(String name, String description, LivenessChecker.Continuation continuation) {
        var violation = new ViolationCollector.Violation(name, description, continuation.state(), -1, null);
        int stem = result.depth(continuation.state());
        return violated(
                violation,
                continuation.nodeTransitions(),
                continuation.repeats() ? OptionalInt.of(stem) : OptionalInt.empty());
    }

    private CheckReport.Finding violated(
            ViolationCollector.Violation violation, List<NodeTransition> continuation, OptionalInt loopStart) {
        var schedule = new CounterexampleBuilder(result).schedule(violation, continuation);
        var replay = continuation.isEmpty()
                ? ModelChecker.playReadable(protocol, scope, schedule)
                : ModelChecker.play(protocol, scope, schedule);
        return new CheckReport.Finding(
                violation.name(),
                Verdict.VIOLATED,
                violation.description(),
                replay.traceWithViolation(violation.name()),
                replay.schedule(),
                loopStart);
    }
}
