package habemus.lab.advice;

import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.TimingAssumption;
import habemus.world.FaultKind;
import habemus.world.Property;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Fits the timeouts of an algorithm to the delay of messages. All durations grow or shrink by the same factor, so that
 * their proportions stay as the algorithm was designed and checked.
 */
final class TimingFit {

    private static final int DOUBLINGS = 40;
    private static final int HALVINGS = 40;

    private final AlgorithmForm form;
    private final Function<Property, Set<FaultKind>> faults;
    private final Duration delay;

    TimingFit(AlgorithmForm form, Function<Property, Set<FaultKind>> faults, Duration delay) {
        this.form = form;
        this.faults = faults;
        this.delay = delay;
    }

    /** The algorithm with the shortest durations with which its guarantees cover the delay; empty if none do. */
    Optional<AlgorithmForm> fit() {
        if (bounds(form).isEmpty()) {
            return Optional.of(form);
        }
        double most = 1;
        for (int i = 0; i < DOUBLINGS && !fits(most); i++) {
            most *= 2;
        }
        if (!fits(most)) {
            return Optional.empty();
        }
        double least = 0;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (least + most) / 2;
            if (fits(middle)) {
                most = middle;
            } else {
                least = middle;
            }
        }
        return Optional.of(scaled(most));
    }

    private boolean fits(double factor) {
        return bounds(scaled(factor)).stream().allMatch(bound -> bound.compareTo(delay) >= 0);
    }

    private List<Duration> bounds(AlgorithmForm form) {
        return form.assumptions(faults).stream()
                .map(TimingAssumption::longestDelay)
                .flatMap(Optional::stream)
                .toList();
    }

    private AlgorithmForm scaled(double factor) {
        var parameters = form.variant().parameters();
        for (AlgorithmOption<?> option : form.algorithm().options()) {
            parameters = scale(parameters, option, factor);
        }
        return form.with(parameters);
    }

    /** Rounds up to whole milliseconds, at least one. Zero means that a duration is off. */
    private static <T> AlgorithmParameters scale(
            AlgorithmParameters parameters, AlgorithmOption<T> option, double factor) {
        return parameters.get(option) instanceof Duration duration && !duration.isZero()
                ? parameters.with(option, option.parse(Long.toString(Math.max(1, (long)
                        Math.ceil(duration.toMillis() * factor)))))
                : parameters;
    }
}
