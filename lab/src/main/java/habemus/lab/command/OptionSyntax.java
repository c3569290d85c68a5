package habemus.lab.command;

import java.util.Optional;

/**
 * How an option is written.
 *
 * @param name with its dashes: {@code --crash} or {@code -n}
 * @param label names the value; empty if the option is a flag without a value
 * @param type of the value
 * @param isRepeatable whether the option may be given several times
 * @param isHidden whether the option is not suggested for a misspelt one
 * @param example the option with a valid value, for the hint if the value is missing
 * @param bareValue the value if nothing but the name is written; empty: the next word is the value
 */
public record OptionSyntax(
        String name,
        String label,
        ValueType<?> type,
        boolean isRepeatable,
        boolean isHidden,
        String example,
        Optional<String> bareValue) {

    /** The value of a flag that is given. */
    public static final String GIVEN = "true";

    public static OptionSyntax flag(String name) {
        return new OptionSyntax(name, "", ValueType.TEXT, false, false, name, Optional.of(GIVEN));
    }

    public static OptionSyntax value(String name, String label) {
        return new OptionSyntax(name, label, ValueType.TEXT, false, false, name + " " + label, Optional.empty());
    }

    public OptionSyntax withType(ValueType<?> next) {
        return new OptionSyntax(name, label, next, isRepeatable, isHidden, example, bareValue);
    }

    public OptionSyntax repeatable() {
        return new OptionSyntax(name, label, type, true, isHidden, example, bareValue);
    }

    public OptionSyntax hidden() {
        return new OptionSyntax(name, label, type, isRepeatable, true, example, bareValue);
    }

    public OptionSyntax withExample(String next) {
        return new OptionSyntax(name, label, type, isRepeatable, isHidden, next, bareValue);
    }

    public OptionSyntax withBareValue(String next) {
        return new OptionSyntax(name, label, type, isRepeatable, isHidden, example, Optional.of(next));
    }

    public boolean isFlag() {
        return label.isEmpty();
    }

    /** Whether the name is a dash and one letter: then the value may follow without a blank. */
    boolean isShort() {
        return name.length() == 2 && !name.startsWith("--");
    }
}
