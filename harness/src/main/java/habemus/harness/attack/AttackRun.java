package habemus.harness.attack;

import habemus.harness.ProgressListener;
import java.util.Locale;
import java.util.Optional;

/**
 * One run of an attack.
 *
 * @param attacked empty for an attack in this process
 */
record AttackRun(String name, AttackBudget budget, Optional<Victim> attacked, ProgressListener progress) {

    private static final int PROGRESS_INTERVAL = 1_000;

    Victim victim() {
        return attacked.orElseThrow();
    }

    void show(long done, long all) {
        if (done % PROGRESS_INTERVAL == 0) {
            progress.show("attack " + name, done, all);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that we do not use
    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
