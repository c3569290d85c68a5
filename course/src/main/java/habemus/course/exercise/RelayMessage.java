package habemus.course.exercise;

import java.util.ArrayList;
import java.util.List;

/** The message that the threads of a relay pass on. It is not thread-safe: one thread at a time may touch it. */
public final class RelayMessage {

    private final List<Integer> turns = new ArrayList<>();
    private String text;
    private int position;

    public RelayMessage(String text) {
        this.text = text;
    }

    /** Whether every character has been turned. */
    public boolean isDone() {
        return position == text.length();
    }

    /** Turns the next character to upper case, and notes which thread did it. */
    public void turn(int thread) {
        int now = position;
        text = text.substring(0, now) + Character.toUpperCase(text.charAt(now)) + text.substring(now + 1);
        turns.add(thread);
        position = now + 1;
    }

    public String text() {
        return text;
    }

    /** The threads that turned a character, in order. */
    public List<Integer> turns() {
        return List.copyOf(turns);
    }
}
