package habemus.lab.advice;

import habemus.catalogue.Algorithm;
import habemus.lab.matrix.CellVerdict;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.PublishedMatrix;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which algorithms fit a system, the best first, and why the others do not.
 *
 * <p>An algorithm fits if it guarantees its essential properties under all faults, or if the matrix found no violation
 * with any of them. The production service fits an election too. Its holder may be paused: then a second client holds
 * the lock, but the fence of the first is older, and the first is notified before it goes on.
 */
public record Advice(Requirements requirements, List<Recommendation> recommended, List<Rejection> rejected) {

    private static final Set<Property> SAFE_WITH_FENCES =
            EnumSet.of(Property.FENCES_GROW, Property.NOTIFIED_BEFORE_REGRANTED);

    /** @param algorithms those among which to choose */
    public static Advice of(Requirements requirements, Collection<Algorithm> algorithms) {
        var considered = algorithms.stream()
                .filter(algorithm -> algorithm.problem() == requirements.problem()
                        || algorithm.isService() && requirements.problem() == Problem.ELECTION)
                .toList();
        var adviser = new Adviser(requirements, PublishedMatrix.rows(considered));
        var recommended = new ArrayList<Recommendation>();
        var rejected = new ArrayList<Rejection>();
        for (Algorithm algorithm : considered) {
            var fitting = adviser.fitting(algorithm);
            recommended.addAll(fitting);
            if (fitting.isEmpty()) {
                rejected.add(adviser.reject(AlgorithmForm.of(algorithm)));
            }
        }
        recommended.sort(order(requirements));
        return new Advice(requirements, List.copyOf(recommended), List.copyOf(rejected));
    }

    /** By what matters; then the production service, and what is guaranteed before what is only checked. */
    private static Comparator<Recommendation> order(Requirements requirements) {
        int nodes = requirements.nodes();
        Comparator<Recommendation> order = Comparator.comparing(Recommendation::support);
        if (requirements.priorities().contains(Priority.FAIRNESS)) {
            order = order.thenComparing(one -> one.bypassBound().isEmpty());
        }
        if (requirements.priorities().contains(Priority.MESSAGES)) {
            order = order.thenComparingDouble(one -> orMost(one.messages(nodes)));
        }
        if (requirements.priorities().contains(Priority.DELAY)) {
            order = order.thenComparingDouble(one -> orMost(one.delay(nodes)));
        }
        return order.thenComparing(one -> !one.form().algorithm().isService());
    }

    private static double orMost(OptionalDouble cost) {
        return cost.orElse(Double.MAX_VALUE);
    }

    private record Adviser(Requirements requirements, List<MatrixRow> matrix) {

        /** The algorithm with its defaults if that fits, else with every option that makes it fit. */
        List<Recommendation> fitting(Algorithm algorithm) {
            if (algorithm.broken()) {
                return List.of();
            }
            var asItIs = recommend(AlgorithmForm.of(algorithm));
            return asItIs.isPresent()
                    ? asItIs.stream().toList()
                    : AlgorithmForm.forms(algorithm).stream()
                            .flatMap(form -> recommend(form).stream())
                            .toList();
        }

        private Optional<Recommendation> recommend(AlgorithmForm form) {
            boolean needsFences = false;
            var support = Recommendation.Support.GUARANTEED;
            for (Property property : form.essentialProperties()) {
                if (isGuaranteed(form, property)) {
                    continue;
                }
                if (property == Property.MUTUAL_EXCLUSION && isSafeWithFences(form)) {
                    needsFences = true;
                } else if (holdsInMatrix(form, property)) {
                    support = Recommendation.Support.CHECKED;
                } else {
                    return Optional.empty();
                }
            }
            return hasSinglePoint(form) ? Optional.empty() : recommend(form, support, needsFences);
        }

        private Optional<Recommendation> recommend(
                AlgorithmForm form, Recommendation.Support support, boolean needsFences) {
            var delay = requirements.longestDelay();
            var fitted = delay.isEmpty()
                    ? Optional.of(form)
                    : new TimingFit(form, property -> faults(form, property), delay.get()).fit();
            return fitted.map(timed -> new Recommendation(
                    timed,
                    support,
                    timed.assumptions(property -> faults(form, property)),
                    delay.isEmpty() ? Map.of() : timed.durations(),
                    timed.algorithm().bypassBound(requirements.nodes()),
                    needsFences));
        }

        private Set<FaultKind> faults(AlgorithmForm form, Property property) {
            return form.faced(
                    property.when() == Property.When.ALWAYS
                            ? requirements.safetyFaults()
                            : requirements.progressFaults());
        }

        private boolean isGuaranteed(AlgorithmForm form, Property property) {
            return form.guarantee(property, faults(form, property)).isPresent();
        }

        private boolean isSafeWithFences(AlgorithmForm form) {
            return SAFE_WITH_FENCES.stream().allMatch(property -> isGuaranteed(form, property));
        }

        private boolean hasSinglePoint(AlgorithmForm form) {
            return requirements.priorities().contains(Priority.NO_SINGLE_POINT)
                    && !form.algorithm().isService()
                    && !coordinators(form).isEmpty();
        }

        private List<String> coordinators(AlgorithmForm form) {
            var parameters = form.variant().parameters().withNodeCount(requirements.nodes());
            return form.algorithm().coordinators().apply(parameters).toList().stream()
                    .map(Object::toString)
                    .toList();
        }

        /** Whether the matrix decides every fault, and finds no violation where timers are slower than messages. */
        private boolean holdsInMatrix(AlgorithmForm form, Property property) {
            var faults = faults(form, property);
            var rows = rows(form).toList();
            return form.guarantee(property, Set.of()).isPresent()
                    && faults.stream().allMatch(fault -> rows.stream().anyMatch(row -> isOf(row, fault)))
                    && rows.stream()
                            .filter(row -> faults.stream().anyMatch(fault -> isOf(row, fault)))
                            .allMatch(row -> row.find(property.toString())
                                    .filter(finding -> finding.verdict() == CellVerdict.HOLDS)
                                    .isPresent());
        }

        /** On links in order, or without where messages are reordered; synchronous if it has timers. */
        private Stream<MatrixRow> rows(AlgorithmForm form) {
            var own = matrix.stream()
                    .filter(row -> row.cell().algorithm().equals(form.algorithm())
                            && row.cell()
                                    .variant()
                                    .option()
                                    .equals(form.variant().option()))
                    .filter(row -> row.cell().network().inOrder()
                            != requirements.faults().contains(FaultKind.REORDER))
                    .toList();
            boolean isTimed = own.stream().anyMatch(row -> row.cell().isSynchronous());
            return own.stream().filter(row -> row.cell().isSynchronous() == isTimed);
        }

        private static boolean isOf(MatrixRow row, FaultKind fault) {
            return row.cell().faultScenario().kind().filter(fault::equals).isPresent();
        }

        Rejection reject(AlgorithmForm form) {
            if (form.algorithm().broken()) {
                return new Rejection(form, "it is broken on purpose", Optional.empty());
            }
            var missing = form.essentialProperties().stream()
                    .filter(property -> !isGuaranteed(form, property) && !holdsInMatrix(form, property))
                    .toList();
            if (missing.isEmpty()) {
                return hasSinglePoint(form)
                        ? new Rejection(
                                form, "all nodes depend on " + String.join(", ", coordinators(form)), Optional.empty())
                        : new Rejection(form, "no timeout fits this latency", Optional.empty());
            }
            return new Rejection(form, reason(form, missing.getFirst()), evidence(form, missing));
        }

        private String reason(AlgorithmForm form, Property property) {
            if (form.guarantee(property, Set.of()).isEmpty()) {
                return property + " is not guaranteed, even without faults";
            }
            var harmful = faults(form, property).stream()
                    .filter(fault -> form.guarantee(property, Set.of(fault)).isEmpty())
                    .map(this::sentence)
                    .collect(Collectors.joining("; "));
            return property + " is not guaranteed if " + (harmful.isEmpty() ? "all of these faults occur" : harmful);
        }

        private String sentence(FaultKind fault) {
            boolean isConsequence = !requirements.faults().contains(fault) && fault == FaultKind.MISTAKE;
            return fault.sentence() + (isConsequence ? ", since no timeout tells these faults from a crash" : "");
        }

        /** The shortest run without a fault, or with one of the faults, that violates a missing property. */
        private Optional<Rejection.Evidence> evidence(AlgorithmForm form, List<Property> missing) {
            var faults = missing.stream()
                    .flatMap(property -> faults(form, property).stream())
                    .collect(Collectors.toSet());
            return rows(form)
                    .filter(row -> row.cell()
                            .faultScenario()
                            .kind()
                            .map(faults::contains)
                            .orElse(true))
                    .flatMap(row -> missing.stream()
                            .flatMap(property -> row.find(property.toString()).stream())
                            .filter(finding -> finding.run().schedule().size() > 0)
                            .map(finding -> new Rejection.Evidence(row, finding)))
                    .min(Comparator.comparingInt(found -> found.finding().run().steps()));
        }
    }
}
