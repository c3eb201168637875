/** The whole application. */
export function App() {
  return <h1>Voltdesk</h1>;
}
