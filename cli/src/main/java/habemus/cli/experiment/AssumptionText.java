package habemus.cli.experiment;

import habemus.catalogue.Guarantee;
import habemus.world.FaultKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a promise takes for granted, in words.
 *
 * @param network the worst model that it allows
 * @param faults what nodes and links may suffer
 */
public record AssumptionText(String network, List<String> faults, String timing) {

    public static AssumptionText of(Guarantee guarantee) {
        var faultKinds = guarantee.tolerates();
        var faults = EnumSet.noneOf(FaultKind.class);
        faults.addAll(faultKinds);
        faults.removeAll(EnumSet.of(FaultKind.REORDER, FaultKind.LOSS, FaultKind.DUPLICATION));
        return new AssumptionText(
                network(faultKinds),
                toStrings(faults),
                guarantee.timingAssumption().toString());
    }

    private static String network(Set<FaultKind> faultKinds) {
        boolean loss = faultKinds.contains(FaultKind.LOSS);
        boolean duplication = faultKinds.contains(FaultKind.DUPLICATION);
        if (loss || duplication) {
            return loss && duplication ? "lossy and duplicating" : loss ? "lossy" : "duplicating";
        }
        return faultKinds.contains(FaultKind.REORDER) ? "bag" : "fifo";
    }

    public static List<String> toStrings(Iterable<?> some) {
        var texts = new ArrayList<String>();
        some.forEach(one -> texts.add(one.toString()));
        return List.copyOf(texts);
    }

    public String sentence() {
        return "on a " + network + " network, " + timing
                + (faults.isEmpty() ? "; survives no faults" : "; survives " + String.join(", ", faults));
    }
}
