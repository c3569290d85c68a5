package habemus.bench;

import java.util.Locale;

/** What was asked for beside what was measured. */
public final class Goals {

    private final StringBuilder rows = new StringBuilder("| asked | measured | |\n|---|---|---|\n");

    public Goals atLeast(String asked, String format, double measured, double least) {
        return row(asked, format, measured, measured >= least);
    }

    public Goals atMost(String asked, String format, double measured, double most) {
        return row(asked, format, measured, measured <= most);
    }

    private Goals row(String asked, String format, double measured, boolean met) {
        var figure = String.format(Locale.ROOT, format, measured);
        rows.append("| " + asked + " | " + figure + " | " + (met ? "met" : "**missed**") + " |\n");
        return this;
    }

    public String text() {
        return rows.toString();
    }
}
