package habemus.cli;

import habemus.catalogue.Promise;
import habemus.world.Hazard;
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
record Assumption(String network, List<String> faults, String timing) {

    static Assumption of(Promise promise) {
        var hazards = promise.survives();
        var faults = EnumSet.noneOf(Hazard.class);
        faults.addAll(hazards);
        faults.removeAll(EnumSet.of(Hazard.REORDER, Hazard.LOSS, Hazard.DUPLICATION));
        return new Assumption(network(hazards), texts(faults), promise.timing().toString());
    }

    private static String network(Set<Hazard> hazards) {
        boolean loss = hazards.contains(Hazard.LOSS);
        boolean duplication = hazards.contains(Hazard.DUPLICATION);
        if (loss || duplication) {
            return loss && duplication ? "lossy and duplicating" : loss ? "lossy" : "duplicating";
        }
        return hazards.contains(Hazard.REORDER) ? "bag" : "fifo";
    }

    static List<String> texts(Iterable<?> some) {
        var texts = new ArrayList<String>();
        some.forEach(one -> texts.add(one.toString()));
        return List.copyOf(texts);
    }

    String sentence() {
        return "on a " + network + " network, " + timing
                + (faults.isEmpty() ? "; survives no faults" : "; survives " + String.join(", ", faults));
    }
}
