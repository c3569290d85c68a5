package habemus.lab.experiment;

import habemus.catalogue.BypassFormula;
import habemus.catalogue.Guarantee;
import habemus.lab.language.Translation;
import habemus.world.FaultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a guarantee assumes, as text.
 *
 * @param network the weakest network model under which the guarantee holds
 * @param faults the fault kinds that the guarantee tolerates
 * @param bypassBound how often a waiter may be bypassed, as a formula; empty unless that is guaranteed
 */
public record AssumptionText(String network, List<String> faults, String timing, Optional<String> bypassBound) {

    public static AssumptionText of(Guarantee guarantee) {
        var faultKinds = guarantee.tolerates();
        var faults = EnumSet.noneOf(FaultKind.class);
        faults.addAll(faultKinds);
        faults.removeAll(EnumSet.of(FaultKind.REORDER, FaultKind.LOSS, FaultKind.DUPLICATION));
        return new AssumptionText(
                network(faultKinds),
                toStrings(faults),
                guarantee.timing().toString(),
                guarantee.bypassBound().map(BypassFormula::text));
    }

    private static String network(Set<FaultKind> faultKinds) {
        boolean loss = faultKinds.contains(FaultKind.LOSS);
        boolean duplication = faultKinds.contains(FaultKind.DUPLICATION);
        if (loss || duplication) {
            return loss && duplication ? "lossy and duplicating" : loss ? "lossy" : "duplicating";
        }
        return faultKinds.contains(FaultKind.REORDER) ? "bag" : "fifo";
    }

    public static List<String> toStrings(Iterable<?> values) {
        var texts = new ArrayList<String>();
        values.forEach(value -> texts.add(value.toString()));
        return List.copyOf(texts);
    }

    public String sentence(Translation translation) {
        return bypassBound
                        .map(formula ->
                                translation.of("at most") + " " + formula + " " + translation.of("bypasses") + ", ")
                        .orElse("")
                + translation.of("on a " + network + " network") + "; " + translation.of(timing) + "; "
                + (faults.isEmpty()
                        ? translation.of("survives no faults")
                        : translation.of("survives") + " " + String.join(", ", faults));
    }
}
