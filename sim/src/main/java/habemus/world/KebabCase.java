package habemus.world;

import java.util.Locale;

/** The names of enum constants in commands, output and files: {@code mutual-exclusion} for MUTUAL_EXCLUSION. */
public final class KebabCase {

    private KebabCase() {}

    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
