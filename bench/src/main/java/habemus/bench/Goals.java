package habemus.bench;

import java.util.Locale;

/** A Markdown table of goals and measured values. */
public final class Goals {

    private final StringBuilder rows = new StringBuilder("| goal | measured | |\n|---|---|---|\n");

    public Goals atLeast(String goal, String format, double measured, double min) {
        return row(goal, format, measured, measured >= min);
    }

    public Goals atMost(String goal, String format, double measured, double max) {
        return row(goal, format, measured, measured <= max);
    }

    private Goals row(String goal, String format, double measured, boolean met) {
        var figure = String.format(Locale.ROOT, format, measured);
        rows.append("| " + goal + " | " + figure + " | " + (met ? "met" : "**missed**") + " |\n");
        return this;
    }

    public String text() {
        return rows.toString();
    }
}
