package habemus.cli;

/** Says how far a long command is, to somebody who looks; nothing in the first two seconds. */
final class Progress {

    private static final long PATIENCE = 2_000_000_000L;
    private static final int WIDTH = 30;

    private final Terminal terminal;
    private final long started = System.nanoTime();
    private boolean shown;

    Progress(Terminal terminal) {
        this.terminal = terminal;
    }

    void show(String what, long done, long all) {
        say(bar(done, all) + " " + what);
    }

    /** There may be more to do than was expected. */
    static String bar(long done, long expected) {
        long all = Math.max(1, Math.max(done, expected));
        int filled = (int) (WIDTH * done / all);
        return "█".repeat(filled) + "░".repeat(WIDTH - filled) + " " + 100 * done / all + " %";
    }

    /** Where nobody knows how much there will be. */
    synchronized void say(String what) {
        if (terminal.errIsTerminal() && System.nanoTime() - started > PATIENCE) {
            terminal.err().print("\r" + what + "\u001b[K");
            terminal.err().flush();
            shown = true;
        }
    }

    synchronized void clear() {
        if (shown) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
