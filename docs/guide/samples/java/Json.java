import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of this sample without a library. Use Jackson or Gson in your receiver. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.next() != '\0') throw new IllegalArgumentException("more than one value");
        return value;
    }

    private Object value() {
        char first = next();
        if (first == '{') return object();
        if (first == '[') return list();
        if (first == '"') return string();
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        return switch (word) {
            case "true", "false" -> Boolean.valueOf(word);
            case "null" -> null;
            default -> Double.valueOf(word);
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        for (at++; next() != '}'; skip(',')) {
            String name = string();
            demand(':');
            members.put(name, value());
        }
        at++;
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        for (at++; next() != ']'; skip(',')) items.add(value());
        at++;
        return items;
    }

    private String string() {
        demand('"');
        StringBuilder string = new StringBuilder();
        for (char each; (each = text.charAt(at++)) != '"'; ) string.append(each == '\\' ? escaped() : each);
        return string.toString();
    }

    private char escaped() {
        char mark = text.charAt(at++);
        if (mark == 'u') return (char) Integer.parseInt(text.substring(at, at += 4), 16);
        int known = "bfnrt".indexOf(mark);
        return known < 0 ? mark : "\b\f\n\r\t".charAt(known);
    }

    /** Skips blanks and returns the next character, or '\0' at the end. */
    private char next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void skip(char mark) {
        if (next() == mark) at++;
    }

    private void demand(char mark) {
        if (next() != mark) throw new IllegalArgumentException(mark + " expected at " + at);
        at++;
    }
}
